import { describe, expect, it } from 'vitest'
import { ConflictError, ValidationError } from '../../../core/src/errors.js'
import { as } from '../../../core/test/open-sav.js'
import { openShop } from '../../test/customers.js'
import { refusal } from '../../test/planning.js'

const date = '2026-03-18'
const minute = 60_000
const lookedAt = ['debut', 'fin', 'poseur', 'trajet_avant_minutes', 'tournee', 'statut'] as const

/** Six visits of two people in an inefficient order, and the preview of a better one. */
async function applied() {
  const shop = await openShop({ delayMs: minute })
  const { sav, actor, poseur, clock, sent, account_id } = shop
  const helper = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy', lieu: { code_postal: '69100' } })
  await sav.directory.poseurs.update(actor, poseur.id, { lieu: { code_postal: '69003' } })
  const ids: number[] = []
  for (const [index, code_postal] of ['69700', '69003', '38280', '69100', '69150', '69330'].entries()) {
    const client = await sav.directory.clients.add(actor, {
      nom: `Client ${index}`,
      prenom: 'Zoé',
      email: `zoe${index}@client.example`,
      lieu: { code_postal },
    })
    const hour = String([8, 10, 14][index % 3]).padStart(2, '0')
    const poseur_id = index < 3 ? poseur.id : helper.id
    const debut = `${date}T${hour}:00:00+01:00`
    ids.push((await sav.planning.book(actor, { client_id: client.id, poseur_id, debut, duree_minutes: 60 })).id)
  }
  await sent(2 * minute)
  const day = async () => {
    const visits = await Promise.all(ids.map((id) => sav.planning.get(account_id, id)))
    return visits.map((visit) => Object.fromEntries(lookedAt.map((field) => [field, visit[field]])))
  }
  const before = await day()
  const { version: plan, lettres } = await sav.planning.optimise(actor, { date, mode: 'apercu' })
  const apply = (prevenir = true) => sav.planning.optimise(actor, { date, mode: 'appliquer', version: plan, prevenir })
  return { ...shop, clock, ids, day, before, apply, plan, lettres, helper }
}

describe('applied rounds', () => {
  it('are undone in one write, which restores every visit and sends no letter', async () => {
    const { sav, actor, before, day, apply, lettres, sent } = await applied()
    const { version, deplacements } = await apply()
    expect(deplacements.length).toBeGreaterThan(2)
    expect(lettres).toBe(deplacements.filter(({ debut, ancien_debut }) => debut !== ancien_debut).length)
    expect(await day()).not.toEqual(before)
    const { rdv } = await sav.planning.undo(actor, { version })
    expect(rdv).toHaveLength(6)
    expect(await day()).toEqual(before)
    expect((await sent(3 * minute)).email).toEqual([])
  })

  it('send as many letters as predicted, when applied and when undone, unless letters are suppressed', async () => {
    const { sav, actor, apply, lettres, sent } = await applied()
    const { version } = await apply()
    expect((await sent(3 * minute)).email).toHaveLength(lettres)
    await sav.planning.undo(actor, { version })
    expect((await sent(3 * minute)).email).toHaveLength(lettres)

    const silent = await applied()
    const done = await silent.apply(false)
    expect(done.lettres).toBe(0)
    await silent.sav.planning.undo(silent.actor, { version: done.version, prevenir: false })
    expect((await silent.sent(3 * minute)).email).toEqual([])
  })

  it('are not undone, even in part, if one visit has been changed since', async () => {
    const { sav, actor, ids, day, apply } = await applied()
    const { version } = await apply()
    await sav.planning.change(actor, ids[4] ?? 0, { notes: 'Sonner deux fois.' })
    const after = await day()
    expect(await refusal(sav.planning.undo(actor, { version }))).toBeInstanceOf(ConflictError)
    expect(await day()).toEqual(after)
  })

  it.each([
    [24 * 60 * minute, true],
    [24 * 60 * minute + 1, false],
  ])('can be undone within 24 hours; %i ms after they were applied: %s', async (ms, isPossible) => {
    const { sav, actor, apply, clock } = await applied()
    const { version } = await apply()
    clock.set(clock.now() + ms)
    const answer = await refusal(sav.planning.undo(actor, { version }))
    expect(answer instanceof ConflictError).toBe(!isPossible)
  })

  it('are undone only with their own version, not with that of a preview or of another account', async () => {
    const { sav, actor, addAccount, apply, plan } = await applied()
    await addAccount('autre')
    const { version } = await apply()
    expect(await refusal(sav.planning.undo(actor, { version: plan }))).toBeInstanceOf(ValidationError)
    expect(await refusal(sav.planning.undo(as('autre'), { version }))).toBeInstanceOf(ValidationError)
    const changed = `${version.slice(0, -1)}${version.endsWith('A') ? 'B' : 'A'}`
    expect(await refusal(sav.planning.undo(actor, { version: changed.slice(0, -2) }))).toBeInstanceOf(ValidationError)
    expect(await refusal(sav.planning.optimise(actor, { date, mode: 'appliquer', version }))).toBeInstanceOf(
      ValidationError,
    )
  })
})
