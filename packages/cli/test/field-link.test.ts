import { stripVTControlCharacters } from 'node:util'
import jsQR from 'jsqr'
import { expect, it } from 'vitest'
import { readyWorkplace, type Workplace } from './workplace.js'

const secure = { SAV_PUBLIC_URL: 'https://sav.petit.example' }

async function newUser(shop: Workplace, role: string): Promise<string> {
  const who = ['--nom', `Yanis ${role}`, '--email', `${role}@petit.example`, '--role', role, '--poseur-id', '1']
  return (await shop.json<{ id: string }>(['users', 'add', ...who])).id
}

/** The text of a QR code drawn in half blocks, as a phone's camera reads it. */
function readCode(lines: readonly string[]): string | undefined {
  const halves = { ' ': [0, 0], '▀': [1, 0], '▄': [0, 1], '█': [1, 1] } as const
  const drawn = lines.filter((line) => /^[ ▀▄█]+$/.test(line))
  const [wide, scale] = [drawn[0]?.length ?? 0, 4]
  const rows = drawn.flatMap((line) =>
    [0, 1].map((half) => [...line].map((block) => halves[block as keyof typeof halves][half] === 1)),
  )
  const pixels = new Uint8ClampedArray(wide * scale * rows.length * scale * 4).fill(255)
  for (let y = 0; y < rows.length * scale; y += 1)
    for (let x = 0; x < wide * scale; x += 1)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        pixels.fill(0, (y * wide * scale + x) * 4, (y * wide * scale + x) * 4 + 3)
  return jsQR.default(pixels, wide * scale, rows.length * scale)?.data
}

it('sav field-link shows a link that signs an installer in on a phone, and its QR code', async () => {
  const shop = await readyWorkplace(secure)
  await shop.json(['poseurs', 'add', '--nom', 'Yanis Haddad'])
  const id = await newUser(shop, 'poseur')
  const told = await shop.json<{ url: string }>(['field-link', id])
  expect(told.url).toMatch(/^https:\/\/sav\.petit\.example\/app\/terrain\/#sav_inv_[\w-]{43}$/)

  for (const [columns, colours] of [
    [80, {}],
    [80, { NO_COLOR: '1' }],
    [undefined, {}],
  ] as const) {
    const { stdout } = await shop.sav(['field-link', id], colours, columns === undefined ? {} : { columns })
    const lines = stripVTControlCharacters(stdout).split('\n')
    const link = /https:\S+/.exec(stdout)?.[0]
    expect(link).toMatch(/#sav_inv_/)
    expect(readCode(lines)).toBe(link)
    expect(Math.max(...lines.filter((line) => /[▀▄█]/.test(line)).map((line) => line.length))).toBeLessThan(80)
  }

  // The last link signs the installer in.
  const { url } = await shop.serveHere()
  const token = new URL((await shop.json<{ url: string }>(['field-link', id])).url).hash.slice(1)
  const signedIn = await fetch(`${url}/app/session/invitation`, {
    method: 'POST',
    headers: { origin: secure.SAV_PUBLIC_URL, 'x-sav-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect(signedIn.status).toBe(200)
})

it('sav field-link says why it refuses, and a refusal is not in the audit', async () => {
  const shop = await readyWorkplace()
  await shop.json(['poseurs', 'add', '--nom', 'Yanis Haddad'])
  const [id, atelier] = [await newUser(shop, 'poseur'), await newUser(shop, 'atelier')]
  const refused = (user: string, env = {}) => shop.sav(['field-link', user], env)
  expect(await refused(id)).toMatchObject({ code: 1, stderr: expect.stringContaining('SAV_PUBLIC_URL is not set') })
  expect(await refused(id, { SAV_PUBLIC_URL: 'http://sav.petit.example' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('people reach this service at http://sav.petit.example'),
  })
  expect(await refused(atelier, secure)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`sav users role ${atelier} poseur --poseur-id N`),
  })
  expect((await refused('usr_nobody', secure)).code).toBe(3)
  expect((await shop.sav('audit list --json')).stdout).not.toContain('field-link')

  expect(await shop.json(['users', 'role', atelier, 'poseur', '--poseur-id', '1'])).toMatchObject({ role: 'poseur' })
  expect((await refused(atelier, secure)).code).toBe(0)
})

it('sav field-link --url gives a link to that service’s public address, or a refusal if it has none', async () => {
  const shop = await readyWorkplace(secure)
  await shop.json(['poseurs', 'add', '--nom', 'Yanis Haddad'])
  const id = await newUser(shop, 'poseur')
  const { key } = await shop.json<{ key: string }>('keys create --name office --permissions admin')
  const ask = (url: string) => shop.sav(['field-link', id, '--url', url], { SAV_API_KEY: key })
  expect(await ask((await shop.serveHere()).url)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('https://sav.petit.example/app/terrain/#sav_inv_'),
  })
  const plain = await shop.serveHere({ SAV_PUBLIC_URL: '' })
  expect(await ask(plain.url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`people reach this service at ${plain.url}`),
  })
})
