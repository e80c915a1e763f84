import { type SingleByteEncoding, singleByteEncodings } from '@sav/command/feature'

const upperBytes = Uint8Array.from({ length: 128 }, (_, index) => 128 + index)
const tableOf = (encoding: string): string => new TextDecoder(encoding).decode(upperBytes)

/** The characters of the bytes from 128 on. TextDecoder does not have cp850. */
const characters: Readonly<Record<SingleByteEncoding, string>> = {
  'windows-1252': tableOf('windows-1252'),
  'iso-8859-15': tableOf('iso-8859-15'),
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}',
  macintosh: tableOf('macintosh'),
}

/** The text of bytes in an encoding. */
export function decodeBytes(bytes: Uint8Array, encoding: SingleByteEncoding): string {
  const table = characters[encoding]
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replaceAll(/[\x80-\xff]/g, (byte) => table.charAt(byte.charCodeAt(0) - 128))
}

/** The codes of neighbouring bytes below 128, by their class. The code of a byte from 128 on is its value minus 128. */
const neighbours = { other: 128, lower: 129, upper: 130, n: 131, digit: 132 } as const
const neighbourCount = 133

function neighbourOf(byte: number | undefined): number {
  if (byte === undefined) return neighbours.other
  if (byte >= 128) return byte - 128
  if (byte === 0x6e || byte === 0x4e) return neighbours.n
  if (byte >= 0x61 && byte <= 0x7a) return neighbours.lower
  if (byte >= 0x41 && byte <= 0x5a) return neighbours.upper
  return byte >= 0x30 && byte <= 0x39 ? neighbours.digit : neighbours.other
}

interface Neighbour {
  readonly isLower: boolean
  readonly isUpper: boolean
  readonly isN: boolean
}

function neighbourIn(table: string, code: number): Neighbour {
  const isN = code === neighbours.n
  if (code >= 128) return { isLower: isN || code === neighbours.lower, isUpper: isN || code === neighbours.upper, isN }
  return { isLower: /\p{Ll}/u.test(table.charAt(code)), isUpper: /\p{Lu}/u.test(table.charAt(code)), isN }
}

/** Roughly the logarithm of a character's frequency in French. */
const usual = new Map<string, number>(
  [
    [5, 'é'],
    [4, 'èàê'],
    [3, 'çôîûâùïëÉ€'],
    [2, 'œæÈÀÊÇÔÎÂŒöüä'],
    [0, '\u{A0}«»“”’‘–—…•²³½·®©£§'],
  ].flatMap(([points, each]) => [...String(each)].map((character) => [character, Number(points)] as const)),
)
const unusual = /[ƒµıþÞðÐýÝªº]/
const implausible = -6

/** How plausible a character is between two others, in points. */
function plausibility(character: string, before: Neighbour, after: Neighbour): number {
  const [follows, leads] = [before.isLower || before.isUpper, after.isLower || after.isUpper]
  if (character === '’') return follows && leads ? 4 : 0
  if (character === '°') return before.isN ? 4 : follows && leads ? implausible : 0
  if (character === '\u{A0}') return 0
  if (!/\p{L}/u.test(character)) {
    if (/\p{Cc}/u.test(character)) return -8
    return follows && leads ? implausible : (usual.get(character) ?? -4)
  }
  if (unusual.test(character)) return -4
  const isUpper = /\p{Lu}/u.test(character)
  // The code of `n` also means `N`, so it counts as both lower and upper case.
  if (isUpper && before.isLower && !before.isUpper) return implausible
  if (!isUpper && before.isUpper && !before.isLower && after.isUpper && !after.isLower) return implausible
  if (!follows && !leads) return /[àÀôÔ]/.test(character) ? 2 : -4
  if (/[àù]/.test(character) && leads) return 0
  return usual.get(character) ?? 0
}

/**
 * Counts how often each byte from 128 on occurs between which other bytes. The counts take 9 MB, however long the text
 * is.
 */
export class LetterCounts {
  readonly #counts = new Uint32Array(neighbourCount * 128 * neighbourCount)
  #total = 0

  add(bytes: Uint8Array): void {
    for (let place = 0; place < bytes.length; place += 1) {
      const byte = bytes[place] ?? 0
      if (byte < 128) continue
      const key = (neighbourOf(bytes[place - 1]) * 128 + byte - 128) * neighbourCount + neighbourOf(bytes[place + 1])
      this.#counts[key] = (this.#counts[key] ?? 0) + 1
      this.#total += 1
    }
  }

  /**
   * The encodings in which the text is plausible French, the likeliest first. There are several only if they cannot be
   * distinguished.
   */
  likely(): readonly SingleByteEncoding[] {
    const seen = this.#seen()
    const found = singleByteEncodings.map((encoding) => ({ encoding, points: pointsIn(characters[encoding], seen) }))
    const most = Math.max(...found.map(({ points }) => points))
    if (most < -this.#total) return []
    const near = found.filter(({ points }) => most - points < 3).toSorted((a, b) => b.points - a.points)
    // Encodings that read every byte like the first one give the same text.
    const [first] = near
    return near.flatMap(({ encoding }) =>
      encoding === first?.encoding ||
      seen.some(({ byte }) => characters[encoding][byte] !== characters[first?.encoding ?? encoding][byte])
        ? [encoding]
        : [],
    )
  }

  #seen(): SeenLetter[] {
    const seen: SeenLetter[] = []
    for (let key = 0; key < this.#counts.length; key += 1) {
      const count = this.#counts[key] ?? 0
      if (count === 0) continue
      const [between, after] = [Math.floor(key / neighbourCount), key % neighbourCount]
      seen.push({ before: Math.floor(between / 128), byte: between % 128, after, count })
    }
    return seen
  }
}

interface SeenLetter {
  readonly before: number
  /** The value of the byte, minus 128. */
  readonly byte: number
  readonly after: number
  readonly count: number
}

const pointsIn = (table: string, seen: readonly SeenLetter[]): number =>
  seen.reduce(
    (points, { before, byte, after, count }) =>
      points + count * plausibility(table.charAt(byte), neighbourIn(table, before), neighbourIn(table, after)),
    0,
  )
