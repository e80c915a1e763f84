/** The words of a text that are separated by white space. */
const words = (text: string) => text.trim().split(/\s+/)

/** Addresses that no webhook may reach, one of each kind that matters. */
const innerV4 = words(`
  127.0.0.1 0.0.0.0 10.0.0.1 100.64.0.1 169.254.169.254 172.16.0.1 192.0.0.192 192.168.1.1 198.18.0.1 203.0.113.5
  168.63.129.16 224.0.0.1 255.255.255.255
`)

const innerV6 = words(`
  :: ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 0::1 ::0001 fc00::1 FD00::1 fd00:ec2::254
  FD00:EC2:0:0:0:0:0:254 fd20:ce::254 fe80::1 FE80::A9FE:A9FE fec0::1 ff02::1 2001::1 2001:2::1 2001:db8::1
  3fff::1 100::1 5f00::1
`)

/** Names, each of which the tests' name server resolves to an inner address. */
const names = [
  ...words(`
    localhost LOCALHOST LocalHost. sub.localhost localhost.localdomain ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc\u00adalhost
    %6c%6f%63alhost ip6-localhost metadata metadata.google.internal metadata.google.internal.
    rebind.attacker.example REBIND.Attacker.Example 127.0.0.1.attacker.example 127-0-0-1.attacker.example
    0x7f000001.attacker.example façade.example xn--faade-zra.example faßade.example attacker。example
    _internal.example
  `),
  'x'.repeat(63),
]

const hex = (value: number, width = 0) => value.toString(16).padStart(width, '0')
const fullWidth = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
const escaped = (text: string) => text.replace(/./g, (character) => `%${hex(character.charCodeAt(0))}`)

/** An IPv4 address in many spellings, which URL parsers accept or should refuse. */
function spellings(address: string): string[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const value = ((a * 256 + b) * 256 + c) * 256 + d
  const high = hex(a * 256 + b)
  const low = hex(c * 256 + d)
  return [
    address,
    `${address}.`,
    String(value),
    `${value}.`,
    `0x${hex(value, 8)}`,
    `0X${hex(value, 8).toUpperCase()}`,
    `0${value.toString(8)}`,
    `${a}.${value % 2 ** 24}`,
    `${a}.${b}.${c * 256 + d}`,
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    bytes.map((byte) => `000${byte.toString(8)}`).join('.'),
    `0x${hex(a)}.0${b.toString(8)}.${c}.${d}`,
    fullWidth(address),
    address.replaceAll('.', '。'),
    escaped(address),
    `8.8.8.8@${address}`,
    `8.8.8.8:443@${address}`,
    `receiver.example%40@${address}`,
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[0000:0000:0000:0000:0000:ffff:${address}]`,
    `[::${address}]`,
    `[::ffff:0:${high}:${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ]
}

/** URLs of inner addresses, or of none. @param port one on which something listens on this machine */
export function refusedUrls(port: number): string[] {
  const hosts = [
    ...innerV4.flatMap(spellings),
    ...innerV6.flatMap((address) => [`[${address}]`, `receiver.example@[${address}]`]),
    ...['fe80::1%lo', 'fe80::1%25lo', '::1%lo', '::1%25lo', '2606:4700::1111%25lo'].map((address) => `[${address}]`),
    ...names,
  ]
  return [
    ...hosts.map((host) => `http://${host}:${port}/hook`),
    ...['127.0.0.1', '[::1]', '2130706433'].map((host) => `https://${host}:${port}/hook`),
    `HTTP://127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http:/127.0.0.1:${port}/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `http://127.0.\t0.1:${port}/`,
    `http://127.0.0.1\n:${port}/`,
    `  http://127.0.0.1:${port}/  `,
    `http://127.0.0.1:${port}#@8.8.8.8/`,
    `http://127.0.0.1:${port}?@8.8.8.8/`,
    `http://127.0.0.1:${port}/\\@8.8.8.8`,
    `http://127.1:${port}/`,
    `http://127.0.1:${port}/`,
    `http://0:${port}/`,
    `http://0x0:${port}/`,
    `http://127.0.0.1:0${port}/`,
  ]
}
