import { eventKinds } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/case-samples.js'
import { as, openSav } from '../../test/open-sav.js'

const description = 'La porte de Mme Durand ne ferme plus.'
const resolution = 'Charnière remplacée chez Mme Durand.'
const motif = 'Mme Durand rappelle : la porte ferme mal.'

/** A service with one open case and one receiver of all kinds. `emitted` claims the events since its last call. */
async function withReceiver() {
  const opened = await openSav()
  const { sav, actor, client, storage, clock } = opened
  const endpoint = await sav.webhooks.endpoints.add(as('default'), {
    url: 'https://receiver.example/',
    events: [...eventKinds],
  })
  const created = await sav.cases.create(actor, { client_id: client.id, description })

  async function emitted() {
    const now = new Date(clock.now()).toISOString()
    const claimed = await storage.queue.claim(
      [{ target: endpoint.id, channel: 'webhook', lane: 'first', limit: 100 }],
      { now, leasedUntil: new Date(clock.now() + 3_600_000).toISOString(), token: 'test' },
    )
    return claimed
      .map(({ body, event, event_id }) => ({ event, event_id, body: JSON.parse(body) }))
      .toSorted((a, b) => (a.event < b.event ? -1 : 1))
  }

  return { ...opened, ...created, endpoint, emitted }
}

/** The same service, after the event of the creation has been claimed. */
async function withOpenCase() {
  const opened = await withReceiver()
  await opened.emitted()
  return opened
}

type EmittedEvents = Awaited<ReturnType<Awaited<ReturnType<typeof withReceiver>>['emitted']>>

const dataOf = (events: EmittedEvents) => Object.fromEntries(events.map(({ event, body }) => [event, body.data]))

describe('an event', () => {
  it('has the form {event, timestamp, data}, with its id and the instant of the change', async () => {
    const { emitted, clock } = await withReceiver()
    const [event] = await emitted()
    expect(event?.event_id).toMatch(/^evt_/)
    expect(event?.body).toEqual({
      event: 'sav.created',
      timestamp: new Date(clock.now()).toISOString(),
      data: expect.objectContaining({ event_id: event?.event_id }),
    })
    expect(Object.keys(event?.body)).toEqual(['event', 'timestamp', 'data'])
  })

  it('contains only ids of people, and no free text', async () => {
    const { sav, actor, id, poseur, emitted } = await withReceiver()
    await sav.cases.update(actor, id, { poseur_id: poseur.id, notes_internes: 'Mme Durand est pressée.' })
    await sav.cases.close(actor, id, { resolution, signataire_nom: 'Alice Durand', reserves: ['Durand : rayure.'] })
    await sav.cases.update(actor, id, { notes_internes: null })
    await sav.cases.reopen(actor, id, { motif })
    const bodies = (await emitted()).map(({ body }) => body)
    expect(bodies).toHaveLength(6)
    for (const body of bodies)
      expect(JSON.stringify(body)).not.toMatch(/Durand|Alice|Bruno|Petit|pressée|rayure|Charnière|caisse/)
  })
})

describe('the events of each operation', () => {
  it('create: sav.created', async () => {
    const { id, reference, client, emitted } = await withReceiver()
    expect(dataOf(await emitted())).toEqual({
      'sav.created': {
        event_id: expect.stringMatching(/^evt_/),
        id,
        reference,
        statut: 'ouvert',
        priorite: 'normale',
        type_probleme: 'autre',
        client: { id: client.id },
        poseur: null,
        version: 1,
        changements: [],
      },
    })
  })

  it('update: one event of each kind that applies, all with one version, and notes without their text', async () => {
    const { sav, actor, id, poseur, emitted } = await withOpenCase()
    const assigned = { statut: 'en_cours', poseur_id: poseur.id } as const
    const changed = { ...assigned, type_probleme: 'facade', priorite: 'haute', notes_internes: 'Rappeler.' } as const
    await sav.cases.update(actor, id, changed)
    const events = await emitted()
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3)
    for (const { body } of events)
      expect(body.data).toMatchObject({ statut: 'en_cours', priorite: 'haute', poseur: { id: poseur.id }, version: 2 })
    expect(events.map(({ event, body }) => [event, body.data.changements])).toEqual([
      ['sav.assigned', [{ champ: 'poseur_id', ancien: null, nouveau: poseur.id }]],
      ['sav.status_changed', [{ champ: 'statut', ancien: 'ouvert', nouveau: 'en_cours' }]],
      [
        'sav.updated',
        [
          { champ: 'type_probleme', ancien: 'autre', nouveau: 'facade' },
          { champ: 'priorite', ancien: 'normale', nouveau: 'haute' },
          { champ: 'notes_internes' },
        ],
      ],
    ])
    await sav.cases.update(actor, id, { poseur_id: null })
    const changements = [{ champ: 'poseur_id', ancien: poseur.id, nouveau: null }]
    expect(dataOf(await emitted())).toMatchObject({ 'sav.assigned': { poseur: null, version: 3, changements } })
  })

  it('update of the notes of a closed case: sav.updated', async () => {
    const { sav, actor, id, emitted } = await withOpenCase()
    await sav.cases.close(actor, id, { resolution })
    await emitted()
    await sav.cases.update(actor, id, { notes_internes: 'Content.' })
    expect(dataOf(await emitted())).toEqual({
      'sav.updated': expect.objectContaining({
        statut: 'clos',
        version: 3,
        changements: [{ champ: 'notes_internes' }],
      }),
    })
  })

  it('close: only sav.closed, with the evidence', async () => {
    const { sav, actor, id, emitted } = await withOpenCase()
    await sav.cases.update(actor, id, { statut: 'en_cours' })
    await emitted()
    const closed = await sav.cases.close(actor, id, { resolution })
    const { 'sav.closed': data, ...others } = dataOf(await emitted())
    expect(others).toEqual({})
    expect(data).toMatchObject({
      id,
      statut: 'clos',
      version: 3,
      changements: [{ champ: 'statut', ancien: 'en_cours', nouveau: 'clos' }],
      hash_sha256: closed.hash_sha256,
      date_cloture: closed.date_cloture,
      sequence: closed.preuve.sequence,
      hash_entree: closed.preuve.hash_entree,
    })
  })

  it('reopen: only sav.reopened', async () => {
    const { sav, actor, id, emitted } = await withOpenCase()
    await sav.cases.close(actor, id, { resolution })
    await emitted()
    await sav.cases.reopen(actor, id, { motif })
    const { 'sav.reopened': data, ...others } = dataOf(await emitted())
    expect(others).toEqual({})
    const changements = [{ champ: 'statut', ancien: 'clos', nouveau: 'en_cours' }]
    expect(data).toMatchObject({ id, statut: 'en_cours', version: 3, changements })
  })

  it('a call that changes nothing, or is refused: no event', async () => {
    const { sav, actor, id, emitted } = await withOpenCase()
    await sav.cases.update(actor, id, { statut: 'ouvert', priorite: 'normale', poseur_id: null, notes_internes: null })
    await refusal(sav.cases.update(actor, id, { statut: 'clos' }))
    await refusal(sav.cases.update(actor, id, { priorite: 'haute' }, [7]))
    await refusal(sav.cases.reopen(actor, id, { motif }))
    await refusal(sav.cases.close(actor, id, { resolution: 'court' }))
    expect(await emitted()).toEqual([])
    await sav.cases.close(actor, id, { resolution })
    await emitted()
    await refusal(sav.cases.close(actor, id, { resolution }))
    await refusal(sav.cases.update(actor, id, { priorite: 'haute' }))
    expect(await emitted()).toEqual([])
  })
})
