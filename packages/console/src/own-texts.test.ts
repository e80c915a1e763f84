import { expect, it } from 'vitest'
import { erasedText } from '../../core/src/evidence/history-chain.js'
import { ownTexts as ofField } from '../../field/src/constat-text.js'
import { ownTexts as ofMoving } from '../../moving/src/write-cases.js'
import { ownTexts as ofPlanning } from '../../planning/src/appointments/own-texts.js'
import { ownTexts, stored } from '../app/words/en/own-texts.js'
import { erasedName } from '../app/words/erased-name.js'

const written: readonly string[] = [
  erasedText,
  ...[ofPlanning, ofField, ofMoving].flatMap((texts) => Object.values(texts)),
]
const places = /\{(\w+)\}/g
/** A value with a period inside. */
const given = 'J. Petit.'

it('every French sentence that the service stores is translated, alone and after another sentence', () => {
  expect(erasedName).toBe(erasedText)
  expect(Object.keys(ownTexts).toSorted()).toEqual(written.toSorted())
  for (const sentence of written) {
    const [french, english] = [sentence, ownTexts[sentence] ?? ''].map((each) => each.replace(places, given))
    expect(stored(french ?? '')).toBe(english)
    const before = 'Client absent sur place le 16/03/2026 à 09:00.'
    expect(stored(`${before} ${french}`)).toBe(`Customer absent on site on 16/03/2026 at 09:00. ${english}`)
  }
})

it('texts of users are not translated', () => {
  for (const text of ['', 'La cliente est en voyage.', 'Le dossier est clos. Rappeler lundi.', ' (effacé)'])
    expect(stored(text)).toBe(text)
})
