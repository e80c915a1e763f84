import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'

/** Source Sans 3 (SIL Open Font License): Latin with every diacritic in use, Greek and Cyrillic. */
const names = ['regular', 'semibold', 'bold'] as const

export type FontName = (typeof names)[number]

export interface Fonts {
  /** The name and the bytes of each font to embed. */
  readonly files: readonly (readonly [FontName, Buffer])[]
  /** Replaces what the fonts cannot print in `text`. */
  printable(text: string): PrintableText
}

export interface PrintableText {
  readonly text: string
  /** Whether a character was replaced by `unknownMark`. */
  readonly replaced: boolean
}

/** Printed instead of characters that the fonts cannot draw. */
export const unknownMark = '□'

/** Reads a font that the build has copied to `dist/fonts`; the relative path is the same from `src` and `dist`. */
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
 * Words longer than this may be broken into parts. For each line, pdfkit measures the rest of a word again, which took
 * seconds for 16,000 letters without a space.
 */
const wordLength = 100
const partLength = 12
/** A zero-width space, at which a line may break; the fonts contain it. */
const breakHere = '\u200b'

/** A character of two UTF-16 units counts as unknown, because pdfkit could break a line within it. */
function isKnown(segment: string, known: ReadonlySet<number>): boolean {
  for (let at = 0; at < segment.length; at++) if (!known.has(segment.charCodeAt(at))) return false
  return true
}
