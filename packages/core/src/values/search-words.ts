import { stemmer } from '@orama/stemmers/french'
import { fold } from './folding.js'
import { lazily } from './lazily.js'
import { dialled, dialledBeginning } from './telephone.js'

/**
 * The sign between the stem and the rest of a kept word: `cuisin¤e`. No word contains it. So one index of the
 * beginnings of words finds a word by its beginning and by its stem; stems beside the words took 25 % of a creation.
 */
const stemEnd = '¤'

/** Other words have none: numbers, short words, other scripts. */
const mayHaveStem = /^[a-z]{3,40}$/

/**
 * The French stem of a folded word; null for one without. Stemming runs twice:
 * without its accents `fermée` keeps an `e` at first, and `éviers` its `er`. Some 2 µs.
 */
export const stemOf = (word: string): string | null => (mayHaveStem.test(word) ? stemmer(stemmer(word)) : null)

/** The form of a folded word that a store keeps. */
function keptForm(word: string): string {
  const stem = stemOf(word)
  return stem === null || !word.startsWith(stem) ? word : `${stem}${stemEnd}${word.slice(stem.length)}`
}

/** In UTF-16 units, of folded text. */
const longest = 4096
const workspace = Buffer.alloc(2 * longest)
const [space, a, z, end] = [0x20, 0x61, 0x7a, stemEnd.charCodeAt(0)]

/**
 * For the hash of a word, the latest such word and how many letters its stem has. There are some times more places than
 * a shop ever writes words.
 */
const places = 1 << 16
const hashes = new Int32Array(places)
const lengths = new Uint8Array(places)
/** In the place of a length: the word has no stem, or one that it does not begin with. */
const [noStem, otherStem] = [0, 255]

function stemLength(word: string): number {
  const stem = stemOf(word)
  if (stem === null) return noStem
  return word.startsWith(stem) ? stem.length : otherStem
}

/**
 * The kept words of folded text; undefined where it is not all Latin-1, or longer than usual. It works letter by
 * letter: strings for each word, and looking them up, took 45 of the 220 µs of a creation. Of two words with one hash,
 * one gets its mark at a wrong letter, and is found by its beginning alone.
 */
function keptLatin(folded: string): string | undefined {
  if (folded.length > longest) return undefined
  let length = 0
  let start = 0
  let hash = 0
  let isWord = true
  const others: string[] = []
  for (let i = 0; i <= folded.length; i += 1) {
    const code = i === folded.length ? space : folded.charCodeAt(i)
    if (code > 0xff) return undefined
    if (code !== space) {
      isWord &&= code >= a && code <= z
      hash = Math.imul(hash ^ code, 0x01000193)
      workspace[length++] = code
      continue
    }
    const letters = length - start
    if (isWord && letters >= 3 && letters <= 40) {
      const place = (hash ^ (hash >>> 16)) & (places - 1)
      if (hashes[place] !== hash) {
        hashes[place] = hash
        lengths[place] = stemLength(folded.slice(i - letters, i))
      }
      const stem = lengths[place] ?? noStem
      if (stem === otherStem) others.push(folded.slice(i - letters, i))
      else if (stem !== noStem && stem <= letters) {
        for (let at = length; at > start + stem; at -= 1) workspace[at] = workspace[at - 1] ?? space
        workspace[start + stem] = end
        length += 1
      }
    }
    if (i < folded.length) workspace[length++] = space
    start = length
    hash = 0
    isWord = true
  }
  const kept = workspace.toString('latin1', 0, length)
  return others.length === 0 ? kept : [kept, ...others.map((word) => `${otherStemOf(word)}${stemEnd}`)].join(' ')
}

function keptAny(folded: string): string {
  const words = folded.split(' ')
  const others = words.filter((word) => stemLength(word) === otherStem)
  return [...words.map(keptForm), ...others.map((word) => `${otherStemOf(word)}${stemEnd}`)].join(' ')
}

/** The few words that do not begin with their stems: `journal` of `journaux`. */
const otherStems = new Map<string, string>()

function otherStemOf(word: string): string {
  const known = otherStems.get(word)
  if (known !== undefined) return known
  const stem = stemOf(word) ?? word
  if (otherStems.size >= maxOthers) otherStems.clear()
  otherStems.set(word, stem)
  return stem
}

const maxOthers = 1000

/**
 * A French number, as far as it was typed, or one with the code of its country. Its first sign stands before the
 * look-behind, so that few places are looked at. Not a literal: V8 reads those with the file, and needs 6 million
 * instructions to know what a letter is.
 */
const telephone = String.raw`(?:\+|00)(?<![\p{L}\p{N}](?:\+|00))(?:[\s.]{0,2}(?:33|262|59[046]|508)[\s.()0]{0,4}[1-9](?:[\s.\-/]{0,3}\d){2,8}|[1-9](?:[\s.\-/()]{0,3}\d){7,13})(?!\d)|0(?<![\p{L}\p{N}]0)[1-9](?:[\s.\-/]{0,3}\d){2,8}(?!\d)`
const telephones = lazily(() => new RegExp(telephone, 'gu'))

/** Folded text, with each telephone number as one word. */
function foldTelephones(text: string): string {
  return fold(text.replace(telephones(), (number) => ` ${dialledBeginning(number)} `))
}

/** The text that a store keeps for searches: folded words with their stems, and telephone numbers as one word. */
export function wordsKept(text: string): string {
  const folded = fold(text)
  const kept = keptLatin(folded) ?? keptAny(folded)
  const numbers = /[+0]/.test(text) ? [...text.matchAll(telephones())].map(([number]) => dialledBeginning(number)) : []
  return numbers.length === 0 ? kept : [kept, ...numbers].join(' ')
}

/** How many digits of its end people say of a number that the other one knows. */
const tailDigits = 6

/** The words that a store keeps of a client's number: the number and its end, however it is written. */
export function telephoneWords(telephone: string): string[] {
  const number = dialled(telephone)
  if (number === null) return soughtWords(telephone).map(({ word }) => word)
  return [number, number.slice(-tailDigits)]
}

/** Digits in one piece or in the groups of a number: 2026-00170 is a reference. */
const withoutZero = /^\s*[1-9](?:\d{8,11}|\d\d(?:[\s.]\d\d){3}|(?:[\s.]\d\d){4})\s*$/

/** A search for a number alone, in forms that are none within a text: without zero and plus, or the end of one. */
function numberSought(text: string): SoughtWord | null {
  if (/^\s*\d\d(?:[\s.-]\d\d){2}\s*$/.test(text)) {
    const tail = text.replace(/\D/g, '')
    return { word: tail, beginnings: [tail] }
  }
  const number = withoutZero.test(text) ? dialled(text) : null
  return number === null ? null : { word: number, beginnings: [number, text.replace(/\D/g, '')] }
}

/**
 * French function words, folded: no search means them, and a search for all that begins with `d` takes longest. `sans`
 * and `sous` say something: `sous évier`.
 */
const passedOver = new Set(
  `l le la les d de du des un une a au aux en dans sur par pour avec et ou mais donc qui que qu dont quand ne n pas plus
  est sont ce cet cette ces son sa ses leur leurs mon ma mes notre nos votre vos il ils elle elles on se s`.split(
    /\s+/,
  ),
)

/** One word of a search: the folded word, and the beginnings of kept words that match it. */
export interface SoughtWord {
  readonly word: string
  readonly beginnings: readonly string[]
}

/** The most letters that a stem leaves out. */
const longestEnding = 10

function beginningsOf(word: string): string[] {
  const stem = stemOf(word)
  // The stem of a longer word may end at any of these letters: the typed text need not be a whole word.
  const ends = Array.from({ length: word.length - 1 }, (_, at) => at + 1).filter(
    (end) => end >= 2 && end >= word.length - longestEnding,
  )
  const within = mayHaveStem.test(word) ? ends.map((end) => `${word.slice(0, end)}${stemEnd}${word.slice(end)}`) : []
  const all = stem === null ? [word] : [word, `${stem}${stemEnd}`, ...within]
  // A shorter beginning finds the longer ones as well.
  return all.filter((each) => !all.some((other) => other !== each && each.startsWith(other)))
}

/**
 * The words of a search, each once. Function words count only where there are no others. Empty without a letter
 * or a digit.
 */
export function soughtWords(text: string): SoughtWord[] {
  // A list without a search: what folds text takes 15 ms to prepare.
  if (text === '') return []
  const number = numberSought(text)
  if (number !== null) return [number]
  const words = [...new Set(foldTelephones(text).split(' '))].filter((word) => word !== '')
  const meant = words.filter((word) => !passedOver.has(word))
  return (meant.length > 0 ? meant : words).map((word) => ({ word, beginnings: beginningsOf(word) }))
}
