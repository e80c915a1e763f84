import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldStore } from '../../../field/src/field-store.js'
import { createFetchHandler } from '../../../http-node/src/fetch.js'
import { inMemory, onPostgres } from '../../../http-node/test/service.js'
import { Kitchen } from '../../test/terrain/kitchen.js'
import { type Installer, type Office, openOffice, type Visit } from '../../test/terrain/office.js'
import { fact } from '../../test/terrain/samples.js'
import { nextStep } from '../sync/outbox.js'

const isLong = process.env['SAV_TEST_CHAOS'] === '1'
const runs = isLong ? 2_000 : 20

/** An installer's reports, each with a different text. */
const told = ['begun', 'late', 'absent', 'done', 'closed', 'comment'] as const
const byOffice = ['moves', 'gives', 'cancels', 'ends', 'closes', 'reopens', 'shows', 'erases'] as const
/** What happens to the phone's next call. */
const fates = ['arrives', 'request lost', 'answer lost', 'killed', 'forgotten'] as const

const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ told: fc.constantFrom(...told) }) },
  // The last action, an erasure, is left out here because it prevents most other events. `erasedAt` adds it at most
  // once.
  { weight: 3, arbitrary: fc.record({ office: fc.constantFrom(...byOffice.slice(0, -1)), atOnce: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ call: fc.constantFrom(...fates) }) },
  // The phone asks for the day; the next event of this kind applies the answer.
  { weight: 3, arbitrary: fc.record({ asks: fc.constant('day') }) },
)
const story = fc.record({
  events: fc.array(happening, { minLength: 3, maxLength: 17 }),
  erasedAt: fc.option(fc.nat(17), { freq: 8 }),
})
type Fate = (typeof fates)[number]

describe.each([inMemory, onPostgres])(
  'a visit that the phone and the office both change, through $name,',
  { timeout: 3_600_000 },
  ({ store }) => {
    let storage: Awaited<ReturnType<typeof store>>
    let office: Office
    let bruno: Installer
    let call: (path: string, init: RequestInit) => Promise<Response>
    beforeAll(async () => {
      storage = await store()
      office = await openOffice(storage)
      const handle = createFetchHandler(office.api)
      const origin = 'http://localhost'
      call = (path, init) => {
        const own = { cookie: bruno.cookie, host: 'localhost', origin, 'sec-fetch-site': 'same-origin' }
        const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own }
        return handle(new Request(origin + path, { ...init, headers }), { ip: '127.0.0.1' })
      }
    })
    afterAll(() => storage.close())

    async function does(what: (typeof byOffice)[number], visit: Visit): Promise<void> {
      const { sav, actor } = office
      const { debut } = await sav.planning.get('default', visit.rdv_id)
      const { rdv_id, sav_id, client_id } = visit
      const later = new Date(Date.parse(visit.debut) + 7_200_000).toISOString()
      const acts = {
        moves: () => sav.planning.change(actor, rdv_id, { debut: debut === later ? visit.debut : later }),
        gives: async () => {
          const { id } = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })
          await sav.planning.change(actor, rdv_id, { poseur_id: id })
        },
        cancels: () => sav.planning.change(actor, rdv_id, { statut: 'annule' }),
        ends: () => sav.planning.change(actor, rdv_id, { statut: 'realise', resultat: 'partiel' }),
        closes: () => sav.cases.close(actor, sav_id, { resolution: 'Close par le bureau.' }),
        reopens: () => sav.cases.reopen(actor, sav_id, { motif: 'La cliente rappelle.' }),

        shows: async () => {},
        erases: () => sav.directory.clients.erase(actor, client_id),
      }
      // The service may refuse an action of the office, which is then skipped.
      await acts[what]().catch((error) => {
        if (!('code' in error)) throw error
      })
    }

    /** Makes one call of the phone, and before it the call that identifies its user. */
    async function step(phone: Kitchen, fate: Fate): Promise<void> {
      phone.hurry()
      const due = nextStep(phone.kept, Date.now()).is
      if (due !== 'file' && due !== 'write') return
      const before = phone.kept
      let asked = 0
      const line = async (path: string, init: RequestInit): Promise<Response> => {
        if (path.endsWith('/session')) return call(path, init)
        if (fate === 'request lost') throw new TypeError('there is no network')
        const answer = await call(path, init)
        if (fate === 'answer lost') throw new TypeError('there is no network')
        return answer
      }
      await phone.send(line, () => ++asked > 1)
      // The phone was killed before it stored the answer.
      if (fate === 'killed') phone.kept = before
      if (fate !== 'forgotten') return
      const files = phone.kept.files.map((file) => ({ ...file, isThere: false, sent: 0 }))
      phone.kept = { ...phone.kept, files }
    }

    async function tell(phone: Kitchen, what: (typeof told)[number], visit: Visit, version: number): Promise<string> {
      const { rdv_id, sav_id } = visit
      const id = crypto.randomUUID()
      const words = `${what} ${id}`
      const done = { resultat: 'resolu' as const, compte_rendu: words, commentaires: [`avec ${words}`] }
      const files = what === 'done' || what === 'closed' ? [await phone.photo(400)] : []
      const photos = files.map((sha256) => ({ sha256, moment: 'autre' as const }))
      const bodies = {
        begun: { operation: 'debut', body: {} },
        late: { operation: 'retard', body: { minutes: 30 } },
        absent: { operation: 'absent', body: { compte_rendu: words } },
        done: { operation: 'intervention', body: { ...done, photos } },
        closed: { operation: 'intervention', body: { ...done, photos, cloture: { resolution: words } } },
        comment: { operation: 'commentaire', body: { texte: words } },
      } as const
      const survenu_a = new Date(Date.now() - 60_000).toISOString()
      phone.tell({ ...fact(id, rdv_id, bodies[what], files), sav_id, version, survenu_a })
      return words
    }

    it(`loses and duplicates no report, and ends with the phone showing the service's day: ${runs} times`, async () => {
      let begun = 0
      const counted = { erased: 0, addenda: 0, constats: 0 }
      await fc.assert(
        fc.asyncProperty(story, async ({ events, erasedAt }) => {
          if (begun % 50 === 0) bruno = await office.installer(`Bruno ${begun}`)
          begun += 1
          const phone = new Kitchen(bruno.person)
          const visit = await office.visit(bruno)
          let { version } = visit
          const words: string[] = []
          let take = await phone.ask(call)
          for (const [at, event] of events.entries()) {
            if (at === erasedAt) await does('erases', visit)
            if ('told' in event) words.push(await tell(phone, event.told, visit, version))
            else if ('call' in event) await step(phone, event.call)
            else if ('asks' in event) {
              take()
              take = await phone.ask(call)
            } else if (event.office === 'shows')
              version = (await office.sav.planning.get('default', visit.rdv_id)).version
            else if (event.atOnce) await Promise.all([does(event.office, visit), step(phone, 'arrives')])
            else await does(event.office, visit)
          }
          for (let round = 0; round < 100 && nextStep(phone.kept, Date.now()).is !== 'done'; round += 1)
            await step(phone, 'arrives')
          take()
          await phone.ask(call).then((last) => last())
          const there = new Kitchen(bruno.person)
          await there.ask(call).then((whole) => whole())
          expect(phone.day?.told.rdv).toEqual(there.day?.told.rdv)

          const { client, statut: _, ...found } = await office.sav.cases.get('default', visit.sav_id)
          const isErased = erasedAt !== null && erasedAt < events.length
          const refused = phone.kept.items.flatMap(({ state }) => (state.is === 'refused' ? state.refusal.code : []))
          expect(phone.kept.items.filter(({ state }) => state.is === 'waiting')).toEqual([])
          expect(refused.filter((code) => !isErased || !/^(client|answer)_erased$/.test(code))).toEqual([])
          for (const { id, state } of phone.kept.items) {
            const kept = await storage.reads.of(fieldStore).fact('default', bruno.person, id)
            if (state.is === 'received') expect(kept).toMatchObject({ rdv_id: visit.rdv_id, client_id: client.id })
          }
          if (isErased) {
            counted.erased += 1
            return
          }

          const { items } = await office.sav.cases.comments('default', visit.sav_id, { limite: 200 })
          const texts = items.map(({ texte }) => texte)
          const reports = found.interventions.map(({ compte_rendu }) => compte_rendu)
          const closes = found.historique
            .filter(({ type, champ }) => type === 'cloture' || champ === 'addendum')
            .map(({ commentaire }) => commentaire)
          const starting = (...begins: string[]) =>
            words.filter((each) => begins.some((begin) => each.startsWith(begin)))
          const noted = [...starting('absent', 'comment'), ...starting('done', 'closed').map((each) => `avec ${each}`)]
          expect(texts.toSorted()).toEqual(noted.toSorted())
          expect(reports.filter((each) => each !== null).toSorted()).toEqual(starting('done', 'closed').toSorted())
          expect(closes.filter((each) => each?.startsWith('closed')).toSorted()).toEqual(starting('closed').toSorted())
          expect(found.photos.map((photo) => ('sha256' in photo ? photo.sha256 : '')).toSorted()).toEqual(
            [...phone.contents.keys()].toSorted(),
          )
          expect(phone.kept.files).toEqual([])
          counted.addenda += found.addenda.length
          counted.constats += phone.kept.items.filter(({ state }) => state.is === 'received' && state.constat).length
        }),
        { numRuns: runs },
      )

      // In a short test, some of these events may not occur often enough.
      if (isLong) for (const count of Object.values(counted)) expect(count).toBeGreaterThan(100)
      expect((await office.sav.evidence.verify('default')).broken).toEqual([])
    })
  },
)
