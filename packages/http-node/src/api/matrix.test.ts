import type { Permission } from '@sav/core'
import { namedAs } from '@sav/core/adapter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '../../../../test/whole/permissions.js'
import { routes, standInsOf } from '../../../../test/whole/routes.js'
import { tokenOf } from '../../../people/test/people.js'
import { as } from '../../test/composed.js'
import { unsentReport } from '../../test/example-calls.js'
import { type Call, fieldCalls } from '../../test/field-calls.js'
import { draw } from '../../test/reports.js'
import {
  type Answer,
  type Door,
  inMemory,
  onPostgres,
  onSqlite,
  openService,
  type Service,
} from '../../test/service.js'
import { caseOnTheWire } from '../links.js'
import type { AnyKeyedRoute } from '../routes/declaration/route.js'

const description = 'La porte du meuble bas ne ferme plus.'
const resolution = 'Charnière remplacée et porte réglée.'
const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(36)])

const actor = as('default')

async function aCase({ sav, client_id }: Service): Promise<number> {
  const photos = [`data:image/jpeg;base64,${photo.toString('base64')}`]
  return (await sav.cases.create(actor, { client_id, description, photos })).id
}
async function aClosedCase(service: Service): Promise<number> {
  const id = await aCase(service)
  await service.sav.cases.close(actor, id, { resolution })
  await draw(service.storage, id)
  return id
}
const anEndpoint = async ({ sav }: Service) =>
  (await sav.webhooks.endpoints.add(as('default'), { url: 'https://receiver.example/', events: ['sav.created'] })).id
const aKey = async ({ sav }: Service) =>
  (await sav.keys.create(as('default'), { nom: 'autre', permissions: ['sav:read'] })).id
const aDelivery = async (service: Service) =>
  (await service.sav.webhooks.endpoints.test(as('default'), await anEndpoint(service))).delivery_id
/** A replay of webhooks alone, which needs no permission for letters. */
const aReplay = async ({ sav }: Service) =>
  (await sav.webhooks.replays.start(as('default'), {}, { see: false, send: false })).id

const at = (path: string, missing: string | undefined, status = 200): Call =>
  missing === undefined ? { path, status } : { path, missing, status }
const onCase =
  (rest: string, make = aCase) =>
  async (service: Service) =>
    at(`/api/v1/sav/${await make(service)}${rest}`, `/api/v1/sav/999999999${rest}`)
const onEndpoint = (rest: string, status?: number) => async (service: Service) =>
  at(`/api/v1/webhooks/${await anEndpoint(service)}${rest}`, `/api/v1/webhooks/wh_missing${rest}`, status)
const onDelivery = (rest: string, status?: number) => async (service: Service) =>
  at(
    `/api/v1/webhooks/livraisons/${await aDelivery(service)}${rest}`,
    `/api/v1/webhooks/livraisons/dlv_missing${rest}`,
    status,
  )
const onReplay = (rest: string) => async (service: Service) =>
  at(
    `/api/v1/webhooks/livraisons/rejouer/${await aReplay(service)}${rest}`,
    `/api/v1/webhooks/livraisons/rejouer/rpl_missing${rest}`,
  )
const onKey = (rest: string) => async (service: Service) =>
  at(`/api/v1/cles/${await aKey(service)}${rest}`, `/api/v1/cles/key_missing${rest}`)
const aUser = async ({ sav }: Service) => {
  people += 1
  const email = `zoe${people}@petit.example`
  return (await sav.users.add(as('default'), { nom: 'Zoé Roux', email, role: 'lecture' })).id
}
const onUser =
  (rest = '', status?: number) =>
  async (service: Service) =>
    at(`/api/v1/utilisateurs/${await aUser(service)}${rest}`, `/api/v1/utilisateurs/usr_missing${rest}`, status)
async function onSession(service: Service): Promise<Call> {
  const { sav } = service
  const id = await aUser(service)
  const token = tokenOf(await sav.users.invite(actor, id))
  const { session } = await sav.signIns.byInvitation({ token }, { ip: '192.0.2.7', appareil: 'Firefox' })
  const path = `/api/v1/utilisateurs/${id}/sessions`
  return at(`${path}/${session.id}`, `${path}/ses_missing`)
}
let people = 0
let days = 0
async function onRdv({ sav, client_id, poseur_id }: Service): Promise<Call> {
  days += 1
  const debut = new Date(Date.UTC(2026, 2, 16 + days, 8)).toISOString()
  const { id } = await sav.planning.book(actor, { client_id, poseur_id, debut, duree_minutes: 90 })
  return at(`/api/v1/planning/${id}`, '/api/v1/planning/999999999')
}
async function onFollowUp(service: Service): Promise<Call> {
  const id = Number((await onRdv(service)).path.split('/').at(-1))
  await service.sav.planning.change(actor, id, { statut: 'absent' })
  const path = (followUp: string) => `/api/v1/a-traiter/${followUp}/fait`
  return at(path(`client_absent-${id}-2`), path('client_absent-999999999-2'))
}
const onClient = async ({ client_id }: Service) => at(`/api/v1/clients/${client_id}`, '/api/v1/clients/999999999')
const onAgenda =
  (part: string, status?: number) =>
  async ({ poseur_id }: Service) =>
    at(`/v1/planning/poseurs/${poseur_id}/${part}`, `/v1/planning/poseurs/999999999/${part}`, status)
const onAll = (path: string, status?: number) => async () => at(path, undefined, status)

/** Every operation that needs a key. A new one fails the test until it is listed here. */
const matrix: Readonly<Record<string, (service: Service) => Promise<Call>>> = {
  listCases: onAll('/api/v1/sav'),
  exportCases: onAll('/api/v1/sav/export?format=csv'),
  createCase: onAll('/api/v1/sav', 201),
  getCase: onCase(''),
  updateCase: onCase(''),
  closeCase: onCase('/cloturer'),
  listComments: onCase('/commentaires'),
  addComment: async (service) => ({ ...(await onCase('/commentaires')(service)), status: 201 }),
  addPhotos: async (service) => ({ ...(await onCase('/photos')(service)), status: 201 }),
  listCaseRdv: onCase('/rdv'),
  listFollowUps: onAll('/api/v1/a-traiter'),
  doneFollowUp: onFollowUp,
  reopenCase: onCase('/rouvrir', aClosedCase),
  async sendReport({ sav }) {
    const rest = 'pv/envoyer'
    return at(`/api/v1/sav/${await unsentReport(sav)}/${rest}`, `/api/v1/sav/999999999/${rest}`, 202)
  },
  getProof: onCase('/preuve', aClosedCase),
  checkProof: onCase('/preuve/verification', aClosedCase),
  listEvidence: onAll('/api/v1/preuves'),
  getReport: onCase('/pv', aClosedCase),
  async getFile(service) {
    const id = await aCase(service)
    const { photos } = caseOnTheWire(await service.sav.cases.get('default', id))
    return at(photos[0]?.url ?? '', `/api/v1/sav/999999999/fichiers/${'0'.repeat(64)}`)
  },
  ...fieldCalls({ aCase, aClosedCase }),
  nameDevice: onAll('/api/v1/terrain/appareil', 409),
  // The body has another hash than the path.
  sendFile: onAll(`/api/v1/fichiers/${'0'.repeat(64)}`, 422),
  getStatistics: onAll('/api/v1/statistiques'),
  search: onAll('/api/v1/recherche?q=porte'),
  listClients: onAll('/api/v1/clients'),
  addClient: onAll('/api/v1/clients', 201),
  getClient: onClient,
  updateClient: onClient,
  async eraseClient({ sav }) {
    const { id } = await sav.directory.clients.add(as('default'), { nom: 'Petit', prenom: 'Zoé' })
    return at(`/api/v1/clients/${id}/effacer`, '/api/v1/clients/999999999/effacer')
  },
  listPoseurs: onAll('/api/v1/poseurs'),
  addPoseur: onAll('/api/v1/poseurs', 201),
  getPoseur: async ({ poseur_id }) => at(`/api/v1/poseurs/${poseur_id}`, '/api/v1/poseurs/999999999'),
  async updatePoseur({ sav }) {
    const { id } = await sav.directory.poseurs.add(actor, { nom: 'Ida Roux' })
    return at(`/api/v1/poseurs/${id}`, '/api/v1/poseurs/999999999')
  },
  listRdv: onAll('/v1/planning'),
  listSlots: onAll('/v1/planning/creneaux?duree=60'),
  getRounds: onAll('/v1/planning/tournees?date=2026-03-16'),
  optimiseRounds: onAll('/v1/planning/tournees/optimiser'),
  // No rounds were applied, so none can be undone.
  undoRounds: onAll('/v1/planning/tournees/annuler', 422),
  // The appointment does not exist.
  replaceRdv: onAll('/v1/planning/replacer', 422),
  renewCalendar: onAll('/v1/planning/calendrier', 201),
  renewPoseurCalendar: onAgenda('calendrier', 201),
  bookRdv: onAll('/v1/planning/rdv', 201),
  getRdv: onRdv,
  changeRdv: onRdv,
  getHoraires: onAgenda('horaires'),
  putHoraires: onAgenda('horaires'),
  getAbsences: onAgenda('absences'),
  putAbsences: onAgenda('absences'),
  getCompetences: onAgenda('competences'),
  putCompetences: onAgenda('competences'),
  listEndpoints: onAll('/api/v1/webhooks'),
  addEndpoint: onAll('/api/v1/webhooks', 201),
  getEndpoint: onEndpoint(''),
  updateEndpoint: onEndpoint(''),
  removeEndpoint: onEndpoint(''),
  enableEndpoint: onEndpoint('/activer'),
  disableEndpoint: onEndpoint('/desactiver'),
  rotateSecret: onEndpoint('/renouveler-secret'),
  testEndpoint: onEndpoint('/tester', 202),
  listDeliveries: onAll('/api/v1/webhooks/livraisons'),
  getDelivery: onDelivery(''),
  retryDelivery: onDelivery('/rejouer', 202),
  startReplay: onAll('/api/v1/webhooks/livraisons/rejouer', 202),
  listReplays: onAll('/api/v1/webhooks/livraisons/rejouer'),
  getReplay: onReplay(''),
  cancelReplay: onReplay('/annuler'),
  listenToEvents: onAll('/api/v1/evenements'),
  listKeys: onAll('/api/v1/cles'),
  createKey: onAll('/api/v1/cles', 201),
  getKey: onKey(''),
  revokeKey: onKey(''),
  rollKey: onKey('/renouveler'),
  getAccount: onAll('/api/v1/compte'),
  // This service has no renderer.
  previewReport: onAll('/api/v1/compte/apercu-pv', 409),
  updateAccount: onAll('/api/v1/compte'),
  getHealth: onAll('/api/v1/sante'),
  getActivity: onEndpoint('/activite'),
  listUsers: onAll('/api/v1/utilisateurs'),
  addUser: onAll('/api/v1/utilisateurs', 201),
  getUser: onUser(),
  updateUser: onUser(),
  inviteUser: onUser('/inviter', 201),
  listSessions: onUser('/sessions'),
  endSessions: onUser('/sessions'),
  endSession: onSession,
  listDevices: onUser('/appareils'),
  endDevice: onSession,
  getSession: onAll('/api/v1/session'),
  listViews: onAll('/api/v1/session/vues'),
  putViews: onAll('/api/v1/session/vues'),
  // A key has no session to end, and no passkeys.
  signOut: onAll('/api/v1/session', 409),
  listOwnSessions: onAll('/api/v1/session/sessions', 404),
  endOwnSession: async () => at('/api/v1/session/sessions/ses_1', '/api/v1/session/sessions/ses_missing', 404),
  removePasskey: async () => at('/api/v1/session/passkeys/psk_1', '/api/v1/session/passkeys/psk_missing', 404),
  listAudit: onAll('/api/v1/audit'),
}

const keyed = routes.filter((route): route is Extract<typeof route, AnyKeyedRoute> => route.permission !== null)

it('every operation that needs a key is in the matrix; only the listed paths need none', () => {
  expect(keyed.map(({ name }) => name).toSorted()).toEqual(Object.keys(matrix).toSorted())
  const open = routes.filter((route) => route.permission === null)
  expect(open.map(({ path }) => path)).toEqual([
    '/verifier/{hash}',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/docs',
    '/docs/reference.js',
    '/calendriers/{calendar}',
    '/rdv/{rdvPage}',
    '/rdv/{rdvPage}',
  ])
})

const neededBy = ({ permission }: AnyKeyedRoute): Permission[] => [permission].flat()

/**
 * Permissions are checked before a store is read, and in the same way for Node and fetch, so refusals are tested once.
 * Every operation is tested on every store. The two SQL stores use the same statements, so one suffices to test that
 * accounts are kept apart.
 */
describe.each([
  { ...inMemory, isWhole: true, keepsApart: true },
  { ...onSqlite, isWhole: false, keepsApart: false },
  { ...onPostgres, isWhole: false, keepsApart: true },
])('through $name', ({ open, store, isWhole, keepsApart }) => {
  let service: Service
  let door: Door
  const keys: Record<string, string> = {}

  beforeAll(async () => {
    service = await openService(await store(), { letters: ['whatsapp'] })
    door = await open(service.api)
    const { sav, clock } = service
    const nom = 'matrice'
    const expire = new Date(clock.now() + 1000).toISOString()
    keys['expired'] = (await sav.keys.create(as('default'), { nom, permissions: ['admin'], expire })).key
    const revoked = await sav.keys.create(as('default'), { nom, permissions: ['admin'] })
    await sav.keys.revoke(as('default'), revoked.id)
    keys['revoked'] = revoked.key
    keys['wrong IP'] = (await sav.keys.create(as('default'), { nom, permissions: ['admin'], ips: ['192.0.2.1'] })).key
    keys['malformed'] = 'sav_live_nonsense'
    const right = await service.key(['admin'])
    keys['mistyped'] = right.slice(0, -1) + (right.endsWith('A') ? 'B' : 'A')
    const gone = await openService()
    keys['unknown'] = await gone.key(['admin', 'sav:read'])
    await clock.advance(1000)
  })
  afterAll(async () => {
    await door.close()
    await service.storage.close()
  })

  const headersWith = (key: string | undefined) => {
    const { authorization: _, ...headers } = service.auth({
      'x-request-timestamp': String(Math.floor(service.clock.now() / 1000)),
    })
    return key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` }
  }
  function send({ method, body }: AnyKeyedRoute, path: string, key: string | undefined): Promise<Answer> {
    const given = {
      ...Object(body?.example),
      ...('client_id' in Object(body?.example) && { client_id: service.client_id }),
    }
    // The account that receives the body does not have the installer of the example.
    delete given.poseur_id
    // But an appointment needs an installer, and each appointment needs its own time.
    if ('duree_minutes' in given) {
      days += 1
      const debut = new Date(Date.UTC(2026, 2, 16 + days, 8)).toISOString()
      Object.assign(given, { poseur_id: service.poseur_id, debut })
    }
    if ('deplacements' in given) given.deplacements = [{ ...given.deplacements[0], rdv_id: 999_999_999 }]
    if ('event' in given) delete given.event
    if ('role' in given && 'email' in given) {
      people += 1
      given.email = `claire${people}@petit.example`
    }
    return door.call(method, path, {
      headers: headersWith(key),
      ...(method !== 'GET' && body !== null && { body: JSON.stringify(given) }),
    })
  }

  const cases = keyed.map((route) => [`${route.method} ${route.path}`, route] as const)

  it.runIf(isWhole).each(cases)('%s is refused without a valid key', async (_, route) => {
    const { path } = await calledOf(route)
    const kinds = [undefined, 'malformed', 'mistyped', 'unknown', 'expired', 'revoked', 'wrong IP']
    for (const kind of kinds) {
      const answer = await send(route, path, kind && keys[kind])
      expect(answer.status, kind).toBe(401)
      expect(answer.text, kind).toBe('{"success":false,"error":"Missing or invalid API key"}')
    }
  })

  it.runIf(isWhole).each(cases)('%s is refused to a key that lacks only its permission', async (_, route) => {
    for (const permission of neededBy(route)) {
      const needed = namedAs(permission)
      const enough = [
        permission,
        needed,
        'admin',
        ...(route.alsoTerrain ? ['terrain'] : []),
        ...standInsOf(route).flatMap(neededBy),
      ]
      const others = permissions.filter((each) => !enough.includes(each))
      const { path } = await calledOf(route)
      const answer = await send(route, path, await service.key(others))
      expect(answer.status).toBe(403)
      expect(answer.json).toMatchObject({ success: false, error: 'Permission denied', required: needed })
    }
  })

  it.each(cases)('%s is allowed to a key with only its permission, and to an admin key', async (_, route) => {
    const needed = neededBy(route)
    const others: Permission[][] = isWhole ? [needed.map(namedAs), ['admin']] : []
    for (const held of [needed, ...others]) {
      const { path, asNobody, ...called } = await calledOf(route)
      const status = held.includes('admin') ? called.status : (asNobody ?? called.status)
      const answer = await send(route, path, await service.key(held))
      expect(answer.status, `${held}: ${answer.text.slice(0, 300)}`).toBe(status)
    }
  })

  // `sendFile` is left out: a file belongs to the account that sends it, even if another account has the same file.
  const withParams = cases.filter(([, { path, name }]) => path.includes('{') && name !== 'sendFile')
  it.runIf(keepsApart).each(withParams)('%s of another account is 404, as if it were missing', async (_, route) => {
    const { path, missing = '', asNobody } = await calledOf(route)
    const theirs = await service.key(asNobody === undefined ? neededBy(route) : ['admin'], 'other')
    const [foreign, none] = [await send(route, path, theirs), await send(route, missing, theirs)]
    expect(foreign.status).toBe(404)
    const { 'x-request-id': _id, date: _date, ...headers } = foreign.headers
    const { 'x-request-id': __id, date: __date, ...expected } = none.headers
    expect(headers).toEqual(expected)
    expect(foreign.bytes).toEqual(none.bytes)
  })

  // Streams are tested in events.test.ts.
  const lists = cases.filter(
    ([, route]) => route.method === 'GET' && !route.path.includes('{') && route.answers.schema !== null,
  )
  it.runIf(keepsApart).each(lists)('%s shows nothing of our account to another account', async (_, route) => {
    const theirs = await service.key(neededBy(route), 'stranger')
    const { json } = await send(route, (await calledOf(route)).path, theirs)
    const ours = JSON.stringify(
      (await send(route, (await calledOf(route)).path, await service.key(neededBy(route)))).json,
    )
    for (const item of [json.data].flat()) expect(ours).not.toContain(JSON.stringify(item))
  })

  async function calledOf({ name }: AnyKeyedRoute): Promise<Call> {
    const make = matrix[name]
    if (make === undefined) throw new Error(`${name} is not in the matrix`)
    if ((await service.storage.reads.accounts.find('stranger')) === null)
      await service.sav.accounts.add(as('stranger'), 'stranger')
    return make(service)
  }
})
