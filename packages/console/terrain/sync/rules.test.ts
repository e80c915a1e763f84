import { describe, expect, it } from 'vitest'
import { aheadMs } from './clock.js'
import { emptyDraft, interventionOf, isBegun, lackingOf, mayClose } from './draft.js'
import { afterWrongCode, codeTried, isLockedAfter, needsContact } from './lock.js'

const hour = 3_600_000

describe('the clock', () => {
  const date = 'Mon, 16 Mar 2026 08:00:00 GMT'
  const told = Date.parse(date)

  it.each([0, 2 * hour, -2 * hour])('of a phone is found to be ahead by %i ms', (ahead) => {
    const sentAt = told + 500 + ahead - 100
    const found = aheadMs({ date, sentAt, receivedAt: sentAt + 200 }, 0)
    expect(found).toBe(ahead)
  })

  it('keeps its estimated error if an answer agrees with it, took too long, or has no date', () => {
    const at = told + 500
    expect(aheadMs({ date, sentAt: at, receivedAt: at + 2_000 }, 2_900)).toBe(2_900)
    expect(aheadMs({ date, sentAt: at, receivedAt: at + 2_000 }, 3_001)).toBe(1_000)
    expect(aheadMs({ date, sentAt: at, receivedAt: at + 10_001 }, 77)).toBe(77)
    expect(aheadMs({ date: null, sentAt: at, receivedAt: at }, 77)).toBe(77)
    expect(aheadMs({ date, sentAt: at + 5_000, receivedAt: at }, 77)).toBe(77)
  })
})

describe('the lock', () => {
  const guarded = { wrongCodes: 0, lastContact: 0, lastSeen: 0 }

  it('closes 5 minutes after the last touch', () => {
    expect(isLockedAfter(0, 299_999)).toBe(false)
    expect(isLockedAfter(0, 300_000)).toBe(true)
  })

  it('requires contact with the service after 72 hours, even if the clock is set back', () => {
    expect(needsContact(guarded, 72 * hour)).toBe(false)
    expect(needsContact(guarded, 72 * hour + 1)).toBe(true)
    expect(needsContact({ ...guarded, lastSeen: 72 * hour + 1 }, 0)).toBe(true)
  })

  it('warns before the tenth wrong code, which wipes the phone', () => {
    let tried = guarded
    const told = Array.from({ length: 10 }, () => {
      tried = codeTried(tried)
      return afterWrongCode(tried)
    })
    expect(told).toEqual([...Array(8).fill('again'), 'last', 'wipe'])
  })
})

describe('a draft', () => {
  const draft = {
    ...emptyDraft,
    resultat: 'resolu' as const,
    texte: ' Charnière réglée. ',
    reserves: 'Vitre rayée\n\n ',
  }
  const photos = [{ sha256: 'a'.repeat(64), moment: 'avant' as const }]

  it('counts as begun once it has any content', () => {
    expect(isBegun(emptyDraft)).toBe(false)
    expect(isBegun({ ...emptyDraft, reserves: 'x' })).toBe(true)
  })

  it('needs a result and then a text, which has at least ten characters if the case closes', () => {
    expect(lackingOf({ ...draft, resultat: null }, true)).toBe('resultat')
    expect(lackingOf({ ...draft, texte: ' neuf car.' }, true)).toBe('resolution')
    expect(lackingOf({ ...draft, texte: ' dix cars. .' }, true)).toBe(null)
    expect(lackingOf({ ...draft, texte: ' ' }, false)).toBe('texte')
    expect(lackingOf({ ...draft, texte: 'x' }, false)).toBe(null)
    expect([mayClose(draft, true), mayClose(draft, false), mayClose({ ...draft, resultat: 'partiel' }, true)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is sent as the report alone, or as the close with the signed text', () => {
    expect(interventionOf(draft, photos, null)).toEqual({
      resultat: 'resolu',
      compte_rendu: 'Charnière réglée.',
      photos,
    })
    const signed = interventionOf({ ...draft, signataire: ' A. Durand ' }, photos, {
      signature: 'f'.repeat(64),
      vu: 'Texte lu',
    })
    expect(signed.cloture).toEqual({
      resolution: 'Charnière réglée.',
      reserves: ['Vitre rayée'],
      signature: 'f'.repeat(64),
      signataire_nom: 'A. Durand',
      vu: 'Texte lu',
    })
    expect(interventionOf(draft, photos, { signature: null, vu: 'x' }).cloture).toEqual({
      resolution: 'Charnière réglée.',
      reserves: ['Vitre rayée'],
    })
  })

  it('requests the next visit as a free time, or as a wish', () => {
    expect(interventionOf({ ...draft, prochain: { jeton: 'j', debut: 'x' } }, [], null).prochain).toEqual({
      jeton: 'j',
    })
    expect(interventionOf({ ...draft, prochain: { souhait: 'Le matin' } }, [], null).prochain).toEqual({
      souhait: 'Le matin',
    })
  })
})
