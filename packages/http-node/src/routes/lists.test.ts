import { inputs } from '@sav/core/adapter'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../test/whole/routes.js'
import { as } from '../../test/composed.js'
import { type Answer, type Door, onSqlite, type Service, served } from '../../test/service.js'
import type { AnyKeyedRoute, AnyRoute } from './declaration/route.js'

const schemaOf = ({ answers: { schema } }: AnyRoute) => Object(schema?.()).shape ?? {}
const isList = (route: AnyRoute): route is AnyKeyedRoute => 'pagination' in schemaOf(route)
const all: readonly AnyRoute[] = routes
const lists = all.filter(isList)

/** Lists without pages: an account has few such items, or they are computed for the call. */
const whole = [
  ...['checkProof', 'listEndpoints', 'listFollowUps', 'listKeys', 'listSessions', 'listUsers', 'listViews'],
  ...['listDevices', 'listOwnSessions', 'listSlots', 'listFieldSlots'],
]

/** A list with only the test's own items, which changes while it is read. */
interface Arranged {
  /** The path of the list, with a query that has neither page nor cursor. */
  readonly path: string
  readonly add: () => Promise<unknown>
  /** Takes an item out of the list. */
  readonly takeOut?: (id: number) => Promise<unknown>
}

const actor = as('default')
const description = 'La porte du meuble bas ne ferme plus.'
const resolution = 'Charnière remplacée et porte réglée.'

async function casesOf(service: Service, query: string): Promise<Arranged> {
  const { sav } = service
  const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Petit', prenom: 'Paul' })
  return {
    path: `/api/v1/sav?client_id=${client_id}&${query}`,
    add: () => sav.cases.create(actor, { client_id, description }),
    takeOut: (id) => sav.cases.close(actor, id, { resolution }),
  }
}

/** Appointments of a client or of an installer: each filter uses another index. */
async function rdvsOf({ sav }: Service, by: 'client_id' | 'poseur_id'): Promise<Arranged> {
  const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })
  const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Petit', prenom: 'Paul' })
  const filter = { client_id, poseur_id }[by]
  let hours = 0
  return {
    path: `/v1/planning?du=2026-03-16&au=2026-04-30&statut=planifie&${by}=${filter}`,
    async add() {
      hours += 1
      const debut = new Date(Date.UTC(2026, 2, 16, hours)).toISOString()
      await sav.planning.book(actor, { client_id, poseur_id, debut, duree_minutes: 60, statut: 'planifie' })
    },
    takeOut: (id) => sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'Reporté.' }),
  }
}

const arrangements: { readonly [list: string]: (service: Service, door: Door) => Promise<readonly Arranged[]> } = {
  listCases: (service) =>
    Promise.all(
      inputs
        .listCases()
        .shape.tri.unwrap()
        .options.map((tri) => casesOf(service, `statut=ouvert&tri=${tri}`)),
    ),
  listClients: async ({ sav }) => [
    {
      path: '/api/v1/clients?recherche=marchand',
      add: () => sav.directory.clients.add(actor, { nom: 'Marchand', prenom: 'Alice' }),
      takeOut: (id) => sav.directory.clients.erase(actor, id),
    },
  ],
  listPoseurs: async ({ sav }) => [
    { path: '/api/v1/poseurs?', add: () => sav.directory.poseurs.add(actor, { nom: 'Bruno Petit' }) },
  ],
  listRdv: (service) => Promise.all([rdvsOf(service, 'client_id'), rdvsOf(service, 'poseur_id')]),
  async listCaseRdv({ sav, client_id }) {
    const { id: sav_id } = await sav.cases.create(actor, { client_id, description })
    const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom: 'Carl Adam' })
    let hours = 0
    return [
      {
        path: `/api/v1/sav/${sav_id}/rdv?`,
        async add() {
          hours += 1
          const debut = new Date(Date.UTC(2026, 2, 16, hours)).toISOString()
          await sav.planning.book(actor, { sav_id, poseur_id, debut, duree_minutes: 60 })
        },
      },
    ]
  },
  async listComments({ sav, client_id }) {
    const { id } = await sav.cases.create(actor, { client_id, description })
    const path = `/api/v1/sav/${id}/commentaires?`
    return [{ path, add: () => sav.cases.comment(actor, id, { texte: 'Le client a rappelé.' }) }]
  },
  listEvidence: async ({ sav, foreign: { account_id, client_id } }) => [
    {
      path: '/api/v1/preuves?',
      async add() {
        const { id } = await sav.cases.create(as(account_id), { client_id, description })
        await sav.cases.close(as(account_id), id, { resolution })
      },
    },
  ],
  async listDeliveries({ sav }) {
    const { id } = await sav.webhooks.endpoints.add(actor, { url: 'https://a.example/', events: ['sav.reopened'] })
    return [
      { path: `/api/v1/webhooks/livraisons?endpoint_id=${id}`, add: () => sav.webhooks.endpoints.test(actor, id) },
    ]
  },
  listReplays: async ({ sav }) => [
    { path: '/api/v1/webhooks/livraisons/rejouer?', add: () => sav.webhooks.replays.start(actor, { state: 'failed' }) },
  ],
  async listAudit({ auth, client_id }, door) {
    const body = JSON.stringify({ client_id, description })
    return [
      { path: '/api/v1/audit?writes=true', add: () => door.call('POST', '/api/v1/sav', { headers: auth(), body }) },
    ]
  },
}

it('only the short lists that are named here have no cursor', () => {
  const isArray = ({ data }: { readonly data?: { readonly type?: string } }) => data?.type === 'array'
  const others = all.filter((route) => route.method === 'GET' && isArray(schemaOf(route)) && !isList(route))
  expect(others.map(({ name }) => name).toSorted()).toEqual(whole.toSorted())
})

it('every list with pages has a cursor, and its own items in this test', () => {
  for (const { name, query, answers } of lists) {
    expect([name, Object.keys(query?.().shape ?? {})]).toEqual([name, expect.arrayContaining(['curseur', 'limite'])])
    const pagination: unknown = schemaOf({ answers } as AnyRoute).pagination.shape
    expect([name, pagination]).toEqual([name, expect.objectContaining({ curseur: expect.anything() })])
  }
  expect(lists.map(({ name }) => name).toSorted()).toEqual(Object.keys(arrangements).toSorted())
})

const saidBy = (curseur: string): unknown => JSON.parse(Buffer.from(curseur, 'base64url').toString())
/** The order in a cursor; null for a cursor of comments or evidence, which is only the number of an item. */
const orderOf = (curseur: string) => (/^\d+$/.test(curseur) ? null : Object(saidBy(curseur))[0])

/** Invalid variants of the cursor: with an impossible value, one value too few or too many, or no list at all. */
function tampered(curseur: string): string[] {
  const parts = saidBy(curseur)
  if (!Array.isArray(parts)) return []
  const wrong = parts.flatMap((part, index) =>
    (typeof part === 'string' ? [1, 'a\0b', null] : ['1', -1, 1.5, 2 ** 60, null]).map((value) =>
      parts.with(index, index === 0 && typeof value === 'number' ? String(value) : value),
    ),
  )
  return [...wrong, parts.slice(0, -1), [...parts, 1], {}, null].map((value) =>
    Buffer.from(JSON.stringify(value)).toString('base64url'),
  )
}

describe('lists', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store())
  const arranged: (Arranged & { readonly name: string; readonly curseur: string })[] = []

  const get = (path: string): Promise<Answer> =>
    door.call('GET', path, { headers: path.startsWith('/api/v1/preuves') ? service.otherAuth : service.auth() })
  const idOf = ({ id, sequence, request_id }: Record<string, string | number>) => id ?? sequence ?? request_id

  async function walk(path: string, limite: number, each = async (_: string | number | undefined) => {}) {
    const met: unknown[] = []
    for (let curseur: string | null = null, pages = 1; ; pages += 1) {
      const { status, json } = await get(`${path}&limite=${limite}${curseur === null ? '' : `&curseur=${curseur}`}`)
      expect([path, status]).toEqual([path, 200])
      for (const item of json.data) {
        met.push(idOf(item))
        await each(idOf(item))
      }
      expect(json.pagination.page ?? pages).toBe(pages)
      curseur = json.pagination.curseur
      if (curseur === null) return met
    }
  }

  beforeAll(async () => {
    for (const [name, arrange] of Object.entries(arrangements))
      for (const each of await arrange(service, door)) {
        for (let n = 0; n < 5; n += 1) await each.add()
        const { curseur } = (await get(`${each.path}&limite=1`)).json.pagination
        arranged.push({ ...each, name, curseur })
      }
  })
  it('a walk over all pages gives the same items in the same order as one large page', async () => {
    for (const { path } of arranged) {
      const whole = (await get(`${path}&limite=200`)).json
      const ids = whole.data.map(idOf)
      expect([path, whole.pagination.curseur]).toEqual([path, null])
      expect(ids.length).toBeGreaterThanOrEqual(5)
      for (const limite of [2, ids.length, ids.length + 1].filter((each) => each <= 200))
        expect([path, limite, await walk(path, limite)]).toEqual([path, limite, ids])
    }
  })

  it('a walk meets each item once while items are removed and others are added', async () => {
    for (const { path, add, takeOut } of arranged) {
      for (let n = 0; n < 5; n += 1) await add()
      const before: unknown[] = (await get(`${path}&limite=200`)).json.data.map(idOf)
      const met = await walk(path, 2, async (id) => {
        if (!before.includes(id)) return
        await add()
        await takeOut?.(Number(id))
      })
      expect([path, met.filter((id) => before.includes(id))]).toEqual([path, before])
      expect(new Set(met).size).toBe(met.length)
    }
  })

  it('a cursor of another list or order is refused, naming the parameter', async () => {
    const refused = async (path: string, curseur: string, fields = ['curseur']) => {
      const { status, json } = await get(`${path}&curseur=${encodeURIComponent(curseur)}`)
      const named = json.details?.map(({ field }: { field: string }) => field)
      expect([path, curseur, status, named]).toEqual([path, curseur, 422, fields])
    }
    for (const { name, path, curseur } of arranged) {
      const foreign = arranged.filter((other) => orderOf(other.curseur) !== orderOf(curseur))
      expect(foreign.length).toBeGreaterThan(15)
      for (const wrong of ['', 'x', '-1', 'é', 'A'.repeat(9000), ...foreign.map((other) => other.curseur)])
        await refused(path, wrong)
      if (orderOf(curseur) !== null) for (const wrong of tampered(curseur)) await refused(path, wrong)
      const { query } = lists.find((list) => list.name === name) ?? {}
      if ('page' in (query?.().shape ?? {})) await refused(`${path}&page=2`, curseur, ['curseur', 'page'])
    }
  })

  it('a cursor works with other filters, with another limite, and after its item is gone', async () => {
    const { path, add, takeOut } = await casesOf(service, '')
    for (let n = 0; n < 4; n += 1) await add()
    const [first, second, third, fourth] = (await get(path)).json.data.map(idOf)
    const made = (await get(`${path}&statut=ouvert&limite=2`)).json
    expect(made.data.map(idOf)).toEqual([first, second])
    await takeOut?.(second)
    await takeOut?.(third)
    const following = async (query: string): Promise<unknown[]> =>
      (await get(`${path}&${query}&curseur=${made.pagination.curseur}`)).json.data.map(idOf)
    expect(await following('statut=ouvert')).toEqual([fourth])
    expect(await following('')).toEqual([third, fourth])
    expect(await following('statut=clos&limite=1')).toEqual([third])
  })

  it('an item that moves within the order is met at its new place', async () => {
    const { sav } = service
    for (const nom of ['Xavier', 'Yann', 'Zoé']) await sav.directory.poseurs.add(actor, { nom })
    const met: unknown[] = []
    await walk('/api/v1/poseurs?', 1, async (id) => {
      const { nom } = await sav.directory.poseurs.get('default', Number(id))
      met.push(nom)
      if (nom === 'Xavier') await sav.directory.poseurs.update(actor, Number(id), { nom: 'Zacharie' })
      if (nom === 'Yann') await sav.directory.poseurs.update(actor, Number(id), { nom: 'Adam' })
    })
    expect(met.slice(-4)).toEqual(['Xavier', 'Yann', 'Zacharie', 'Zoé'])
    expect(met).not.toContain('Adam')
  })
})
