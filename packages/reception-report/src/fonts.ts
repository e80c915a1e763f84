import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'

/** Source Sans 3 (SIL Open Font License): Latin with every diacritic in use, Greek and Cyrillic. */
const names = ['regular', 'semibold', 'bold'] as const

export type FontName = (typeof names)[number]

export interface Fonts {
  /** Name and bytes, as they are embedded. */
  readonly files: readonly (readonly [FontName, Buffer])[]
  /** `text` as it can be printed. */
  printable(text: string): PrintableText
}

export interface PrintableText {
  readonly text: string
  /** Whether something was replaced by `unknownMark`. */
  readonly replaced: boolean
}

/** Replaces characters that the fonts cannot draw. */
export const unknownMark = '□'

/** The build copies it there; the path is the same from `src` and `dist`. */
const load = (name: FontName): Buffer => readFileSync(new URL(`../dist/fonts/${name}.ttf`, import.meta.url))

/** Reads the fonts from the disk. */
export function loadFonts(): Fonts {
  const files = names.map((name) => [name, load(name)] as const)
  const font = fontkit.create(load('regular'))
  if ('fonts' in font) throw new TypeError('a font collection cannot be embedded')
  const known = new Set(font.characterSet)
  return { files, printable: (text) => printable(text, known) }
}

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' })

/** Invisible characters: controls, soft hyphens, direction marks, joiners of emoji. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

function printable(text: string, known: ReadonlySet<number>): PrintableText {
  let replaced = false
  const lines = text.normalize('NFC').replace(/\r\n?/g, '\n').replace(/\t/g, ' ').split('\n')
  const printed = lines.map((line) => {
    let out = ''
    let unbroken = 0
    for (const { segment } of graphemes.segment(line)) {
      const seen = segment.replace(invisible, '')
      unbroken = segment === ' ' ? 0 : unbroken + 1
      if (unbroken >= wordLength && (unbroken - wordLength) % partLength === 0) out += breakHere
      if (isKnown(seen, known)) out += seen
      else {
        replaced = true
        out += unknownMark
      }
    }
    return out
  })
  return { text: printed.join('\n'), replaced }
}

/**
 * Longer words may be broken into parts: pdfkit measures the rest of a word again for each line, and took seconds for
 * 16,000 letters without a space.
 */
const wordLength = 100
const partLength = 12
/** A zero-width space, which the fonts have. */
const breakHere = '\u200b'

/** Lines are cut between UTF-16 units, which could split a character of two: it counts as unknown. */
function isKnown(segment: string, known: ReadonlySet<number>): boolean {
  for (let at = 0; at < segment.length; at++) if (!known.has(segment.charCodeAt(at))) return false
  return true
}
