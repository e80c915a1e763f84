import { expect, it } from 'vitest'
import { actOfPage } from './act-names.js'
import { en } from './en.js'
import { fr } from './fr.js'

it('every action has words in each language: from its page, or else in acts.ts', () => {
  const done = 'POST /api/v1/a-traiter/{followUp}/fait'
  expect(actOfPage(fr, done)).toBe('a traité ce qui attendait')
  expect(actOfPage(en, done)).toBe('dealt with an item')
  expect(actOfPage(fr, 'POST /api/v1/sav')).toBeUndefined()
})
