import { describe, expect, it } from 'vitest'
import { isFoundIn } from '../../../storage-contract/src/samples/mixed-cases.js'
import { fold } from './folding.js'
import { stemOf, telephoneWords, wordsKept } from './search-words.js'

const told = wordsKept(
  'SAV-2026-00170 Fuite sous l’évier de la cuisine : façades gonflées, panneau décollé. Rappeler au 06 12 34 56 78',
)

describe('a search in a stored text', () => {
  it.each([
    // Beginnings of words, in any case and with or without accents.
    ['fui', true],
    ['FAÇADE', true],
    ['acade', false],
    ['cuisine facade', true],
    ['cuisine portail', false],
    // Plurals and other forms.
    ['fuites cuisines', true],
    ['éviers', true],
    ['façade gonflé', true],
    ['gonflement', true],
    ['panneaux décollés', true],
    ['fuir', false],
    // Telephone numbers in any spelling.
    ['0612345678', true],
    ['06.12.34.56.78', true],
    ['+33 6 12 34 56 78', true],
    ['+33 (0)6-12-34-56-78', true],
    ['0033612345678', true],
    ['06 12 34', true],
    ['+33 6 12', true],
    ['+33 (0)6 13', false],
    ['0612345679', false],
    ['06 12 35', false],
    ['+33 7 12 34 56 78', false],
    // References.
    ['SAV-2026-00170', true],
    ['2026-00170', true],
    ['00170 fuite', true],
    ['', true],
    // Function words count only if there are no others.
    ['cuisine qui fuit', true],
    ['la façade de leur cuisine est gonflée, et elle ne se décolle pas', true],
    ['panneau où il y a fuite', false],
    ['sous cuisine', true],
    ['sans cuisine', false],
    ['qui', false],
    ['ne pas', false],
    ['par', false],
    ['est-ce que', false],
    ['une fuite du évier', true],
    ['une', false],
    ['de la', true],
  ])('%j: %s', (search, isFound) => {
    expect(isFoundIn(told, search)).toBe(isFound)
  })

  it.each([
    ['+41 79 123 45 67', '0041791234567'],
    ['04 72 00 00 01', '+33472000001'],
    ['Tél. 04/72/00/00/01, le matin', '0472000001 matin'],
    ['12 rue 0472000001 bis', '0472000001'],
    // Digits that are not telephone numbers.
    ['lot 0412 7 portes', '0412 7'],
    ['A0612345678', 'a0612345678'],
    ['06123456789', '06123456789'],
    ['dossier 2025-00170 69700', '2025 00170'],
  ])('%j is found by %j', (text, search) => {
    expect(isFoundIn(wordsKept(text), search)).toBe(true)
  })

  it('is done in its folded words, each with the end of its stem marked', () => {
    expect(wordsKept('Vis, charnières')).toBe('vis¤ charni¤eres')
    expect(wordsKept('La fuite, des fuites')).toBe('la fuit¤e de¤s fuit¤es')
    expect(wordsKept('Journaux')).toBe('journaux journal¤')
    expect(wordsKept('')).toBe('')
    // A long text has the same words in its beginning as a short one.
    const text = Array.from({ length: 400 }, (_, n) => `La fuite ${n}a du robinet mitigeur, rayé depuis ${n}`).join(' ')
    const short = text.slice(0, 3000)
    expect(wordsKept(`${short} ${text}`).slice(0, 3000)).toBe(wordsKept(short).slice(0, 3000))
  })
})

describe('the number of a client', () => {
  const reunion = '0692 12 34 56'
  it.each([
    [reunion, '0692123456'],
    [reunion, '06.92.12'],
    [reunion, '+262 692 12 34 56'],
    [reunion, '+262 692'],
    [reunion, '00 262 692 12 34 56'],
    [reunion, '00262692123456'],
    [reunion, '262692123456'],
    [reunion, '692 12 34 56'],
    [reunion, '123456'],
    [reunion, '12 34 56'],
    [reunion, '12.34.56'],
    [reunion, '3456'],
    [reunion, '34 56'],
    [reunion, '92 12 34 56'],
    ['+262 (0)692-12-34-56', '0692 12'],
    ['00262 692 12 34 56', '12 34 56'],
    ['+508 41 12 34', '05 08 41 12 34'],
    ['0508 41 12 34', '+508 41 12'],
    ['+687 27 12 34', '00687 27 12 34'],
    ['+687 27 12 34', '27 12 34'],
    ['+33 6 12 34 56 78', '06 12'],
    ['06 12 34 56 78', '33612345678'],
    ['inconnu', 'inconnu'],
  ])('%j is found by %j', (written, search) => {
    expect(isFoundIn(telephoneWords(written).join(' '), search)).toBe(true)
  })
  it.each([
    [reunion, '+33 6 12 34'],
    [reunion, '34 56 78'],
    [reunion, '+508 69'],
    ['06 92 12 34 57', '12 34 56'],
  ])('%j is not found by %j', (written, search) => {
    expect(isFoundIn(telephoneWords(written).join(' '), search)).toBe(false)
  })
})

describe('the stem of a word', () => {
  it.each([
    ['fermée', 'fermer'],
    ['évier', 'éviers'],
    ['charnière', 'charnières'],
    ['installation', 'installées'],
    ['journal', 'journaux'],
    ['réglage', 'réglages'],
  ])('is the same for %s and %s', (one, other) => {
    expect(stemOf(fold(one))).toBe(stemOf(fold(other)))
  })
  it.each([['du'], ['n4711'], ['扉の蝶番']])('does not exist for %s', (word) => {
    expect(stemOf(word)).toBeNull()
  })
})
