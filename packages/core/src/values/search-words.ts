import { stemmer } from '@orama/stemmers/french'
import { fold } from './folding.js'
import { lazily } from './lazily.js'
import { dialled, dialledBeginning } from './telephone.js'

/**
 * Separates the stem and the rest of an indexed word: `cuisin¤e`. No word contains it. One index of the beginnings of
 * words then finds a word by its beginning and by its stem. Indexing stems separately took 25 % of a creation.
 */
const stemEnd = '¤'

/** Other words have no stem: numbers, short words, other scripts. */
const mayHaveStem = /^[a-z]{3,40}$/

/**
 * The French stem of a folded word; null if it has none. Stemming runs twice: without its accents, `fermée` keeps an
 * `e` the first time, and `éviers` its `er`. Takes some 2 µs.
 */
export const stemOf = (word: string): string | null => (mayHaveStem.test(word) ? stemmer(stemmer(word)) : null)

/** How many words have their indexed form cached: several times more than a shop ever writes, in two megabytes. */
const maxKept = 20_000
const keptForms = new Map<string, string>()

/**
 * The indexed form of a folded word. If the word does not begin with its stem (`journal` of `journaux`), the stem is a
 * second word.
 */
function keptForm(word: string): string {
  const known = keptForms.get(word)
  if (known !== undefined) return known
  const stem = stemOf(word)
  const isBeginning = stem !== null && word.startsWith(stem)
  const kept =
    stem === null ? word : isBeginning ? `${stem}${stemEnd}${word.slice(stem.length)}` : `${word} ${stem}${stemEnd}`
  if (keptForms.size >= maxKept) keptForms.clear()
  keptForms.set(word, kept)
  return kept
}

/**
 * A French number, even incomplete, or one with a country code. The pattern has its first character before the
 * look-behind, so that few positions are tried. It is not a literal, because V8 compiles literals with the file: the
 * class of letters takes 6 million instructions.
 */
const telephone = String.raw`(?:\+|00)(?<![\p{L}\p{N}](?:\+|00))(?:[\s.]{0,2}(?:33|262|59[046]|508)[\s.()0]{0,4}[1-9](?:[\s.\-/]{0,3}\d){2,8}|[1-9](?:[\s.\-/()]{0,3}\d){7,13})(?!\d)|0(?<![\p{L}\p{N}]0)[1-9](?:[\s.\-/]{0,3}\d){2,8}(?!\d)`
const telephones = lazily(() => new RegExp(telephone, 'gu'))

/** Folded text, with each telephone number as one word. */
function foldTelephones(text: string): string {
  return fold(text.replace(telephones(), (number) => ` ${dialledBeginning(number)} `))
}

/** The text indexed for searches: folded words with their stems, and telephone numbers as one word. */
export function wordsKept(text: string): string {
  const kept = fold(text).replace(/(?<![^ ])[a-z]{3,40}(?![^ ])/g, keptForm)
  const numbers = /[+0]/.test(text) ? [...text.matchAll(telephones())].map(([number]) => dialledBeginning(number)) : []
  return numbers.length === 0 ? kept : [kept, ...numbers].join(' ')
}

/** How many of a number's last digits people use as a short form. */
const tailDigits = [8, 6, 4]

/** The words indexed for a client's number: the number and its ends, however it is written. */
export function telephoneWords(telephone: string): string[] {
  const number = dialled(telephone)
  if (number === null) return soughtWords(telephone).map(({ word }) => word)
  return [number, ...tailDigits.map((digits) => number.slice(-digits))]
}

/**
 * A number without its zero: digits in a row, or in the groups of a telephone number. `2026-00170` does not match,
 * because it is a reference.
 */
const withoutZero = /^\s*[1-9](?:\d{8,11}|\d\d(?:[\s.]\d\d){3}|(?:[\s.]\d\d){4})\s*$/

/** A search for a number alone, in forms that are ambiguous within a text: without zero and plus, or only the end. */
function numberSought(text: string): SoughtWord | null {
  if (/^\s*\d\d(?:[\s.-]\d\d){1,3}\s*$/.test(text)) {
    const tail = text.replace(/\D/g, '')
    return { word: tail, beginnings: [tail] }
  }
  const number = withoutZero.test(text) ? dialled(text) : null
  return number === null ? null : { word: number, beginnings: [number, text.replace(/\D/g, '')] }
}

/**
 * French function words, folded. A search with other words ignores them: nobody searches for them, and a search for
 * every word that begins with `d` is the slowest. Not listed are `sans` and `sous`, because they carry meaning: `sous
 * évier`.
 */
const passedOver = new Set(
  `l le la les d de du des un une a au aux en dans sur par pour avec et ou mais donc qui que qu dont quand ne n pas plus
  est sont ce cet cette ces son sa ses leur leurs mon ma mes notre nos votre vos il ils elle elles on se s`.split(
    /\s+/,
  ),
)

/** One word of a search: the folded word, and the beginnings of indexed words that match it. */
export interface SoughtWord {
  readonly word: string
  readonly beginnings: readonly string[]
}

/** The most letters that a stem removes. */
const longestEnding = 10

function beginningsOf(word: string): string[] {
  const stem = stemOf(word)
  // The stem of a longer word may end at any of these letters: the typed text need not be a whole word.
  const ends = Array.from({ length: word.length - 1 }, (_, at) => at + 1).filter(
    (end) => end >= 2 && end >= word.length - longestEnding,
  )
  const within = mayHaveStem.test(word) ? ends.map((end) => `${word.slice(0, end)}${stemEnd}${word.slice(end)}`) : []
  const all = stem === null ? [word] : [word, `${stem}${stemEnd}`, ...within]
  // A shorter beginning also finds the longer ones.
  return all.filter((each) => !all.some((other) => other !== each && each.startsWith(other)))
}

/**
 * The distinct words of a search. Function words count only if there are no others. Empty without a letter or digit.
 */
export function soughtWords(text: string): SoughtWord[] {
  // The first use of the expressions below takes 2 ms, which a start without a search need not spend.
  if (text === '') return []
  const number = numberSought(text)
  if (number !== null) return [number]
  const words = [...new Set(foldTelephones(text).split(' '))].filter((word) => word !== '')
  const meant = words.filter((word) => !passedOver.has(word))
  return (meant.length > 0 ? meant : words).map((word) => ({ word, beginnings: beginningsOf(word) }))
}
