import { describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { fieldStore } from '../../field/src/field-store.js'
import { auteurOf } from '../../field/src/uploads.js'
import { fieldSamples } from '../../field/test/field-write-samples.js'
import { userStore } from '../../people/src/users/user-store.js'
import { device, page, provider, sessionRows, signedUp } from '../../people/test/people.js'
import { planningStore } from '../../planning/src/appointments/planning-store.js'
import { calendarStore } from '../../planning/src/calendars/calendar-store.js'
import { rdvPageAddresses } from '../../planning/src/customers/rdv-page-address.js'
import { followUpStore } from '../../planning/src/follow-ups/follow-up-store.js'
import { replacing } from '../../planning/test/replacing.js'
import { as, openProcess, openSav } from '../test/open-sav.js'
import { byEmail } from '../test/reporting.js'
import type { Storage } from './storage.js'
import { fixedClock } from './testing/index.js'
import type { Write } from './write.js'

const description = 'La porte du meuble bas ne ferme plus.'
const resolution = 'Charnière remplacée.'
const url = 'https://receiver.example/hooks'
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const actor = as('default')

type OpenSav = Awaited<ReturnType<typeof openSav>>

const redirect_uri = 'https://sav.example/app/session/oidc/retour'

async function cameBack({ sav }: OpenSav, email: string) {
  const { url, secret } = await sav.signIns.askOidc(redirect_uri)
  return { secret, search: provider.comesBack(url, email), redirect_uri, chosen: [] }
}

/** Prepares the service for the write, and resolves to the write's arguments. */
type Sample<Args extends readonly unknown[]> = (opened: OpenSav) => Promise<Readonly<Args>>

type SamplesOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends (...args: infer Args) => Write<unknown>
    ? Sample<Args>
    : SamplesOf<Tree[Name]>
}

async function ofSession(opened: Parameters<typeof signedUp>[0]): Promise<[typeof actor, string, string]> {
  const { user, session } = await signedUp(opened)
  return [actor, user.id, session.id]
}

const samples: SamplesOf<Awaited<ReturnType<typeof openSav>>['sav']['writes']> = {
  accounts: {
    add: async () => [as('atelier'), 'atelier'],
    update: async () => [actor, { siret: '12345678900011' }],
    disable: async () => [actor],
    enable: async ({ sav }) => [await sav.accounts.disable(actor).then(() => actor)],
    limit: async () => [actor, { dossiers_par_mois: 500 }],
  },
  keys: {
    create: async () => [actor, { nom: 'site', permissions: ['sav:read'] }],
    roll: async (opened) => [actor, await addKey(opened), {}],
    revoke: async (opened) => [actor, await addKey(opened)],
  },
  users: {
    add: async () => [actor, { nom: 'Claire Petit', email: 'claire@petit.example', role: 'gestion' }],
    update: async (opened) => [actor, (await signedUp(opened)).user.id, { role: 'lecture', actif: false }],
    invite: async (opened) => [actor, (await signedUp(opened)).user.id],
  },
  views: { put: async () => [actor, 'usr_1', { vues: [{ nom: 'Ma semaine', adresse: '/planning' }] }] },
  sessions: {
    endAll: async (opened) => [actor, (await signedUp(opened)).user.id],
    async nameDevice(opened) {
      const { user, session } = await signedUp(opened)
      return [{ ...actor, id: user.id }, session.id, { nom: 'Téléphone de Zoé', en_attente: 2 }]
    },
    end: ofSession,
    signOut: ofSession,
    async removePasskey(opened) {
      const { user, passkey } = await signedUp(opened)
      return [actor, user.id, passkey.id]
    },
  },
  signIns: {
    async byInvitation(opened) {
      const { invite } = await signedUp(opened)
      return [{ token: await invite() }, device]
    },
    byPasskey: async (opened) => [{ response: await (await signedUp(opened)).answer() }, page, device],
    askNewPasskey: async (opened) => [actor, (await signedUp(opened)).user.id, page],
    async addPasskey(opened) {
      const { user, newAnswer } = await signedUp(opened)
      return [actor, user.id, { response: await newAnswer('tablette') }, page]
    },
    byOidc: async (opened) => [await cameBack(opened, (await signedUp(opened)).user.email), device],
    async byOidcChoice(opened) {
      const { user } = await signedUp(opened)
      await opened.addAccount('other')
      await opened.sav.users.add(as('other'), { nom: 'Claire', email: user.email, role: 'gestion' })
      const undecided = await opened.sav.signIns.byOidc(await cameBack(opened, user.email), device)
      return ['choice' in undecided ? undecided.choice : '', { utilisateur: user.id }, device]
    },
  },
  clients: {
    add: async () => [actor, { nom: 'Petit', prenom: 'Zoé' }],
    update: async ({ client }) => [actor, client.id, { nom: 'Petit' }],
    async erase(opened) {
      const id = await addCase(opened)
      await opened.sav.cases.close(actor, id, { resolution, photo_apres: pixel, signature_client: pixel })
      return [actor, opened.client.id]
    },
  },
  poseurs: {
    add: async () => [actor, { nom: 'Zoé' }],
    update: async ({ poseur }) => [actor, poseur.id, { nom: 'Zoé' }],
  },
  field: fieldSamples(addCase),
  planning: {
    book: async (opened) => [actor, rdvInput(opened)],
    change: async (opened) => [actor, await addRdv(opened), { notes: 'Sonner chez la voisine.' }],
    putHoraires: async ({ poseur }) => [actor, poseur.id, { periodes: [] }],
    putAbsences: async ({ poseur }) => [actor, poseur.id, []],
    putCompetences: async ({ poseur }) => [actor, poseur.id, ['facade']],
    async replace(opened) {
      const [rdv_id, { id: poseur_id }] = [
        await addRdv(opened),
        await opened.sav.directory.poseurs.add(actor, { nom: 'Zoé' }),
      ]
      return [actor, { deplacements: [{ rdv_id, debut: '2026-03-17T09:00:00+01:00', poseur_id }] }]
    },
    async optimise(opened) {
      const { planning } = opened.sav
      const { debut } = await planning.get('default', await addRdv(opened))
      const date = debut.slice(0, 10)
      const { version } = await planning.optimise(actor, { date, mode: 'apercu' })
      return [actor, { date, mode: 'appliquer', version }]
    },
    async undo(opened) {
      const { planning } = opened.sav
      const { debut } = await planning.get('default', await addRdv(opened))
      const date = debut.slice(0, 10)
      const { version } = await planning.optimise(actor, { date, mode: 'apercu' })
      return [actor, { version: (await planning.optimise(actor, { date, mode: 'appliquer', version })).version }]
    },
  },
  rdvPages: {
    async answer(opened) {
      const secret = await rdvPageOf(opened, await addRdv(opened))
      return [secret, { action: 'annuler', version: 1 }]
    },
  },
  imports: {
    rows: async () => [actor, { type: 'clients', rows: [{ nom: 'Petit', prenom: 'Zoé' }] }],
  },
  followUps: {
    async done(opened) {
      const id = await addRdv(opened)
      await opened.sav.planning.change(actor, id, { statut: 'absent' })
      return [actor, `client_absent-${id}-2`, { receivers: false }]
    },
  },
  calendars: {
    renew: async ({ poseur }) => [actor, { poseur_id: poseur.id }],
  },
  cases: {
    create: async ({ client }) => [actor, { client_id: client.id, description, photos: [pixel] }],
    update: async (opened) => [actor, await addCase(opened), { statut: 'en_cours' }],
    comment: async (opened) => [actor, await addCase(opened), { texte: 'La cliente rappelle.' }],
    addPhotos: async (opened) => [actor, await addCase(opened), { photos: [pixel] }],
    async close(opened) {
      const input = { resolution, photo_apres: pixel, signature_client: pixel }
      return [actor, await addCase(opened), input]
    },
    async reopen(opened) {
      const id = await addCase(opened)
      await opened.sav.cases.close(actor, id, { resolution })
      return [actor, id, { motif: 'La porte grince encore.' }]
    },
    async sendReport(opened) {
      const { sav, worker, clock, client } = opened
      const id = await addCase(opened)
      await sav.directory.clients.update(actor, client.id, { email: 'alice@durand.example' })
      await sav.cases.close(actor, id, { resolution })
      worker.start()
      await clock.advance(1_000)
      await worker.stop()
      return [actor, id, { canal: 'email' }]
    },
  },
  endpoints: {
    add: async () => [actor, { url, events: ['sav.created'] }],
    takeOver: async () => [actor, { url, events: ['sav.created'], secret: `whsec_${'A'.repeat(32)}` }],
    update: async (opened) => [actor, await addEndpoint(opened), { description: 'ERP', headers: { 'X-Key': 'k' } }],
    disable: async (opened) => [actor, await addEndpoint(opened)],
    async enable(opened) {
      const id = await addEndpoint(opened)
      await opened.sav.webhooks.endpoints.disable(actor, id)
      return [actor, id]
    },
    async remove(opened) {
      const id = await addEndpoint(opened)
      await addCase(opened)
      return [actor, id]
    },
    rotateSecret: async (opened) => [actor, await addEndpoint(opened), {}],
    test: async (opened) => [actor, await addEndpoint(opened)],
  },
  deliveries: {
    async retry(opened) {
      const { delivery_id } = await opened.sav.webhooks.endpoints.test(actor, await addEndpoint(opened))
      return [actor, delivery_id]
    },
  },
  replays: {
    start: async () => [actor, {}],
    cancel: async ({ sav }) => [actor, (await sav.webhooks.replays.start(actor, {})).id],
  },
}

async function addKey({ sav }: OpenSav): Promise<string> {
  return (await sav.keys.create(actor, { nom: 'site', permissions: ['sav:read'] })).id
}

async function addCase({ sav, client }: OpenSav): Promise<number> {
  return (await sav.cases.create(actor, { client_id: client.id, description })).id
}

const rdvInput = ({ client, poseur }: OpenSav) => {
  return { client_id: client.id, poseur_id: poseur.id, debut: '2026-03-16T09:00:00+01:00', duree_minutes: 90 }
}

async function addRdv(opened: OpenSav): Promise<number> {
  return (await opened.sav.planning.book(actor, rdvInput(opened))).id
}

/** The secret of an appointment's page, as in a letter. */
async function rdvPageOf({ storage }: OpenSav, id: number): Promise<string> {
  const publicUrl = 'https://sav.example'
  const urlOf = rdvPageAddresses({ storage, secretKey: new Uint8Array(32), publicUrl })
  const rdv = await storage.reads.of(planningStore).find('default', id)
  return (rdv && (await urlOf(rdv, null)))?.slice(`${publicUrl}/rdv/`.length) ?? ''
}

async function addEndpoint({ sav }: OpenSav): Promise<string> {
  return (await sav.webhooks.endpoints.add(actor, { url, events: ['sav.created'] })).id
}

/** The path of each function in a tree: `cases.create`. */
function leavesOf(tree: object, way: readonly string[] = []): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'function' ? [[...way, name].join('.')] : leavesOf(Object(value), [...way, name]),
  )
}

const at = (tree: object, leaf: string) => leaf.split('.').reduce((value, name) => Object(value)[name], Object(tree))

/** A service that counts its transactions, with this write prepared but not performed. */
async function prepared(leaf: string) {
  const sample: Sample<readonly unknown[]> | undefined = at(samples, leaf)
  if (sample === undefined) throw new Error(`sav.writes.${leaf} has no sample here: add one.`)
  const inner = await memoryStorage()
  const written = { transactions: 0, expired: 0 }
  const storage: Storage = {
    ...inner,
    transaction: (work) => {
      written.transactions += 1
      return inner.transaction(work)
    },
    queue: replacing(inner.queue, {
      expire: (bounds) => {
        written.expired += 1
        return inner.queue.expire(bounds)
      },
    }),
  }
  const opened = await openSav({ storage, reports: byEmail(), people: { identityProvider: provider } })
  const args = await sample(opened)
  await opened.clock.advance(1_000)
  const before = await everythingIn(opened)
  Object.assign(written, { transactions: 0, expired: 0 })
  const write: Write<unknown> = at(opened.sav.writes, leaf)(...args)
  return { ...opened, write, written, before }
}

/** All stored data that can be read. */
async function everythingIn({ sav, storage }: Pick<OpenSav, 'sav' | 'storage'>) {
  const { reads, queue } = storage
  const cases = await sav.cases.list('default', {})
  const poseurs = await sav.directory.poseurs.list('default', {})
  const users = await reads.of(userStore).list('default')
  return {
    accounts: await reads.accounts.list(),
    keys: await reads.keys.list('default'),
    users,
    passkeys: await Promise.all(users.map(({ id }) => reads.of(userStore).passkeys('default', id))),
    views: await reads.views.list('default', 'usr_1'),
    devices: await Promise.all(users.map(({ id }) => sav.sessions.devices('default', id))),
    signedIn: await sessionRows(storage),
    clients: await sav.directory.clients.list('default', {}),
    poseurs,
    cases: await Promise.all(cases.items.map(({ id }) => sav.cases.get('default', id))),
    rdv: await sav.planning.list('default', { du: '2026-01-15', au: '2026-03-31' }),
    agendas: await Promise.all(poseurs.items.map(({ id }) => reads.of(planningStore).agenda('default', id))),
    sent: await reads.of(fieldStore).uploadedBytes('default', auteurOf(actor).auteur_id),
    calendars: await reads.of(calendarStore).list('default'),
    followUps: await reads.of(followUpStore).open('default', 10),
    evidence: await reads.evidence.walk('default', { afterSequence: 0, limit: 10 }),
    undrawn: await reads.reports.undrawn(10, []),
    endpoints: await reads.endpoints.list('default'),
    deliveries: await reads.deliveries.list('default', { limit: 10 }),
    waiting: await queue.counts(),
    replays: await reads.replays.list('default', { limit: 10 }),
  }
}

const leaves = leavesOf(openProcess({ storage: await memoryStorage(), clock: fixedClock(), seed: 1 }).sav.writes)

describe('a write', () => {
  it('has a sample in this test', () => {
    expect(leaves).toContain('clients.erase')
    expect(leavesOf(samples).toSorted()).toEqual(leaves.toSorted())
  })

  it.each(leaves)('%s runs in one transaction with beforeCommit', async (leaf) => {
    const opened = await prepared(leaf)
    const { sav, storage, write, written, before } = opened
    const seen: unknown[] = []
    const copies: unknown[] = []
    // Work after the commit may use transactions of its own.
    const alone = { ...write, committed() {} }
    const result = await sav.perform(alone, async (tx, result) => {
      seen.push(result)
      copies.push(structuredClone(result))
      await tx.facts.set('before commit', leaf)
    })
    expect(written.transactions).toBe(1)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toBe(result)
    expect(copies).toEqual([result])
    expect(await storage.reads.facts.get('before commit')).toBe(leaf)
    expect(await everythingIn(opened)).not.toEqual(before)
  })

  it.each(leaves)('%s is undone if beforeCommit rejects', async (leaf) => {
    const opened = await prepared(leaf)
    const { sav, storage, write, written, before } = opened
    const refusal = new Error('changed our mind')
    const refused = sav.perform(write, async (tx) => {
      await tx.facts.set('before commit', leaf)
      throw refusal
    })
    await expect(refused).rejects.toBe(refusal)
    expect(written).toEqual({ transactions: 1, expired: 0 })
    expect(await storage.reads.facts.get('before commit')).toBeNull()
    expect(await everythingIn(opened)).toEqual(before)
  })

  it('that changes nothing is still one transaction', async () => {
    const opened = await openSav()
    const { sav, storage } = opened
    const id = await addCase(opened)
    const before = await sav.cases.get('default', id)
    const seen: unknown[] = []
    const result = await sav.perform(sav.writes.cases.update(actor, id, { statut: 'ouvert' }), async (tx, result) => {
      seen.push(result)
      await tx.facts.set('before commit', 'cases.update')
    })
    expect(seen).toEqual([result])
    expect(await storage.reads.facts.get('before commit')).toBe('cases.update')
    expect(await sav.cases.get('default', id)).toEqual(before)
  })

  it('that fails does not call beforeCommit', async () => {
    const { sav, client } = await openSav()
    const { cases } = sav.writes
    const before = vi.fn(async () => {})
    await expect(sav.perform(cases.create(actor, { client_id: client.id + 1, description }), before)).rejects.toThrow(
      /client_id: no client/,
    )
    await expect(sav.perform(cases.update(actor, 99, { statut: 'en_cours' }), before)).rejects.toThrow(/^No case 99/)
    expect(await sav.cases.list('default', {})).toMatchObject({ total: 0 })
    expect(before).not.toHaveBeenCalled()
  })
})
