import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import type { Storage } from '../../../core/src/ports.js'
import { fieldStore } from '../../../field/src/field-store.js'
import { createFetchHandler, type FetchHandler } from '../../../http-node/src/fetch.js'
import { Kitchen } from '../../test/terrain/kitchen.js'
import { type Installer, type Office, openOffice, type Visit } from '../../test/terrain/office.js'
import { fact } from '../../test/terrain/samples.js'
import { unsentCount } from '../sync/item.js'

let storage: Storage
let office: Office
let bruno: Installer
let visit: Visit
let handle: FetchHandler

beforeEach(async () => {
  storage = await memoryStorage()
  onTestFinished(() => storage.close())
  office = await openOffice(storage)
  handle = createFetchHandler(office.api)
  bruno = await office.installer('Bruno Petit')
  visit = await office.visit(bruno)
})

interface Sending {
  /** The signed-in user. */
  readonly cookie?: string
  readonly isStopped?: () => boolean
  readonly before?: (path: string) => Promise<void>
}

const origin = 'http://localhost'
const sent = (phone: Kitchen, { cookie = bruno.cookie, isStopped, before }: Sending = {}) =>
  phone.send(async (path, init) => {
    await before?.(path)
    const own = { cookie, host: 'localhost', origin, 'sec-fetch-site': 'same-origin' }
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own }
    return handle(new Request(origin + path, { ...init, headers }), { ip: '127.0.0.1' })
  }, isStopped)

/** Reports on a visit: its beginning, its end with three photos, and a comment. */
async function toldVisit(): Promise<{ readonly phone: Kitchen; readonly files: string[] }> {
  const phone = new Kitchen(bruno.person)
  const files = [await phone.photo(600_000), await phone.photo(300_000), await phone.photo(9_000)]
  const photos = files.map((sha256) => ({ sha256, moment: 'autre' as const }))
  const { rdv_id, sav_id, version } = visit
  const tell = (...[name, rest, brought]: [string, Parameters<typeof fact>[2], string[]?]) =>
    phone.tell({ ...fact(name, rdv_id, rest, brought), sav_id, version, survenu_a: new Date().toISOString() })
  tell('debut', { operation: 'debut', body: {} })
  tell('intervention', { operation: 'intervention', body: { resultat: 'resolu', photos } }, files)
  tell('commentaire', { operation: 'commentaire', body: { texte: 'Prévoir un joint.' } })
  return { phone, files }
}

/** The service's data about the visit. */
async function recorded() {
  const { interventions, photos } = await office.sav.cases.get('default', visit.sav_id)
  const { items } = await office.sav.cases.comments('default', visit.sav_id, {})
  return {
    results: interventions.map(({ resultat }) => resultat),
    photos: photos.map((photo) => Object(photo).sha256).toSorted(),
    comments: items.map(({ texte }) => texte),
  }
}
const whole = (files: readonly string[]) => ({
  results: ['resolu'],
  photos: files.toSorted(),
  comments: ['Prévoir un joint.'],
})
const nothing = { results: [], photos: [], comments: [] }

describe('a visit that is sent', () => {
  it('is sent completely after the phone has died halfway', async () => {
    const { phone, files } = await toldVisit()
    for (let step = 0; step < 30 && unsentCount(phone.kept) > 0; step += 1) {
      let asked = 0
      // The sender stops after one step.
      await sent(phone, { isStopped: () => ++asked > 1 })
    }
    expect(await recorded()).toEqual(whole(files))
  })

  it('is sent only while its own user is signed in', async () => {
    const { phone, files } = await toldVisit()
    const karim = await office.installer('Karim Benali')
    expect(await sent(phone, { cookie: karim.cookie })).toEqual({ is: 'other-person' })
    expect(await sent(phone, { cookie: '' })).toEqual({ is: 'signed-out' })
    expect(await recorded()).toEqual(nothing)
    expect(unsentCount(phone.kept)).toBe(3)
    expect(await sent(phone)).toEqual({ is: 'done' })
    expect(await recorded()).toEqual(whole(files))
  })

  it('is not sent after the office has signed the phone out', async () => {
    const { phone } = await toldVisit()
    const { sav, actor } = office
    const [session] = await sav.sessions.list('default', bruno.person)
    const named = { ...actor, id: bruno.person }
    await sav.sessions.nameDevice(named, session?.id ?? '', { nom: 'Téléphone', en_attente: 3 })
    await sav.sessions.endAll(actor, bruno.person)
    expect(await sent(phone)).toEqual({ is: 'ended' })
    expect(await recorded()).toEqual(nothing)
  })

  it('is recorded completely even if the service lost an uploaded file: the phone sends the file again', async () => {
    const { phone, files } = await toldVisit()
    let writes = 0
    const before = async (path: string) => {
      if (!path.endsWith('/intervention') || writes++ > 0) return
      const lost = { account_id: 'default', auteur_id: bruno.person, sha256: files[1] ?? '' }
      await storage.transaction((tx) => tx.of(fieldStore).removeUpload(lost))
    }
    expect(await sent(phone, { before })).toEqual({ is: 'done' })
    expect(writes).toBe(2)
    expect(await recorded()).toEqual(whole(files))
  })
})
