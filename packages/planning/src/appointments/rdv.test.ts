import { describe, expect, it } from 'vitest'
import { ConflictError } from '../../../core/src/errors.js'
import { type RdvStatut, rdvStatuts } from '../../../core/src/values/vocabulary.js'
import { newRdv } from '../contract/rdv-samples.js'
import type { RdvChange } from './inputs.js'
import { decideChange } from './moving.js'
import {
  cancelled,
  completed,
  durationMinutes,
  held,
  isExpired,
  missed,
  movedFrom,
  occupies,
  overlaps,
  type Rdv,
  type RdvState,
  standing,
} from './rdv.js'

/** The allowed transitions, a row for each state. */
const allowed = new Set([
  ...['propose planifie', 'propose confirme', 'propose annule'],
  ...['planifie confirme', 'planifie en_cours', 'planifie realise', 'planifie annule', 'planifie absent'],
  ...['confirme confirme', 'confirme en_cours', 'confirme realise', 'confirme annule', 'confirme absent'],
  'confirme planifie',
  ...['en_cours realise', 'en_cours absent', 'en_cours annule'],
])

const now = '2026-03-16T07:00:00.000Z'

function inState(statut: RdvStatut): RdvState {
  if (statut === 'propose') return held('2026-03-16T07:00:00.001Z')
  if (statut === 'annule') return cancelled('La cliente a déménagé.')
  if (statut === 'realise') return completed({ resultat: 'resolu', compte_rendu: null, pieces: [] })
  if (statut === 'absent') return missed(null)
  return standing(statut)
}

const found = (statut: RdvStatut): Rdv => ({
  ...newRdv({ account_id: 'lyon', client_id: 7, poseur_id: 3 }, 8, inState(statut)),
  id: 12,
})

const decide = (from: Rdv, change: RdvChange) =>
  decideChange(from, change, {
    actor: { type: 'cle', id: 'key_1' },
    persons: {},
    time: { debut: from.debut, fin: from.fin },
    now,
  })

describe('the table of transitions', () => {
  const pairs = rdvStatuts.flatMap((from) => rdvStatuts.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s is allowed only if it is listed', (from, to) => {
    const change = { statut: to, ...(to === 'annule' && { motif_annulation: 'Reporté à l’été.' }) }
    if (!allowed.has(`${from} ${to}`)) {
      expect(() => decide(found(from), change)).toThrow(ConflictError)
      return
    }
    const { rdv, changes } = decide(found(from), change)
    expect(rdv.statut).toBe(to)
    expect(changes).toEqual(from === to ? [] : [{ champ: 'statut', ancien: from, nouveau: to }])
    expect(rdv.version).toBe(from === to ? 1 : 2)
  })
})

it('an appointment occupies its time until it is done, cancelled or missed', () => {
  const taking = rdvStatuts.filter((statut) => occupies({ statut }))
  expect(taking.toSorted()).toEqual(['confirme', 'en_cours', 'planifie', 'propose'])
})

it('a proposal expires exactly at expire_a, and no other state expires', () => {
  const until = '2026-03-16T07:15:00.000Z'
  expect(isExpired(held(until), '2026-03-16T07:14:59.999Z')).toBe(false)
  expect(isExpired(held(until), until)).toBe(true)
  expect(isExpired(standing('planifie'), '2999-01-01T00:00:00.000Z')).toBe(false)
})

it('an appointment that begins when another one ends does not overlap it', () => {
  const morning = { debut: '2026-03-16T07:00:00.000Z', fin: '2026-03-16T09:00:00.000Z' }
  const next = { debut: morning.fin, fin: '2026-03-16T09:30:00.000Z' }
  expect(overlaps(morning, next)).toBe(false)
  expect(overlaps(next, morning)).toBe(false)
  expect(overlaps(morning, { ...next, debut: '2026-03-16T08:59:59.999Z' })).toBe(true)
  expect(durationMinutes(morning)).toBe(120)
  expect(durationMinutes({ debut: morning.debut, fin: '2026-03-16T07:10:00.001Z' })).toBe(11)
})

it('the latest 20 moves of an appointment are kept, each for 60 days', () => {
  const kept = (dates: readonly string[]) => {
    const deplacements = dates.map((date) => ({ version: 1, date, personnes: [3] }))
    const before = { ...found('planifie'), deplacements }
    return movedFrom(before, { version: 2, date_modification: now }).map(({ date }) => date)
  }
  const [gone, oldest] = ['2026-01-15T07:00:00.000Z', '2026-01-15T07:00:00.001Z']
  expect(kept([gone, oldest])).toEqual([oldest, now])
  expect(kept(Array.from({ length: 20 }, () => oldest))).toHaveLength(20)
})
