import type { Permission } from '@sav/core'
import { describe, expect, it } from 'vitest'
import { as } from '../../test/composed.js'
import { inMemory, served } from '../../test/service.js'

/** The searchable fields: for each, a unique value, and the beginning of that value to search for. */
const client = {
  nom: ['Vauquelin', 'vauq'],
  prenom: ['Perrine', 'perri'],
  raison_sociale: ['Menuiserie Kerbrat', 'kerbr'],
  email: ['perrine@ormeaux.example', 'ormea'],
  telephone: ['04 72 55 18 93', '0472551'],
} as const
const lieu = {
  ligne1: ['14 impasse des Tanneurs', 'tanneu'],
  code_postal: ['69440', '6944'],
  ville: ['Mornant', 'morna'],
} as const
const texts = { description: ['La crédence se décolle.', 'crede'], comment: ['Le robinet goutte.', 'robin'] } as const
const searched = { ...client, adresse: ['Lieu-dit Bellevue', 'bellev'] as const, ...lieu, ...texts }

const callers: readonly (readonly Permission[])[] = [
  ['sav:read'],
  ['sav:read', 'planning:read'],
  ['sav:read', 'directory:read'],
  ['directory:read'],
  ['planning:read', 'directory:read'],
  ['sav:read', 'planning:read', 'directory:read'],
  ['admin'],
]

describe.each(callers.map((permissions) => ({ permissions })))(
  'a caller with $permissions',
  async ({ permissions }) => {
    const { service, door } = await served(inMemory.open)
    const authorization = `Bearer ${await service.key(permissions)}`
    const { sav, poseur_id } = service
    const values = <K extends string>(fields: Readonly<Record<K, readonly [string, string]>>) =>
      Object.fromEntries(Object.entries<readonly [string, string]>(fields).map(([name, [value]]) => [name, value]))
    const actor = as('default')
    const add = (place: object) =>
      sav.directory.clients.add(actor, { nom: '', prenom: '', ...values(client), ...place })
    // A client with an address in parts keeps no address in one line, so another client has such an address.
    const [{ id }, other] = [await add({ lieu: values(lieu) }), await add({ adresse: searched.adresse[0] })]
    const created = await sav.cases.create(actor, { client_id: id, description: texts.description[0] })
    await sav.cases.comment(actor, created.id, { texte: texts.comment[0] })
    const moved = await sav.cases.create(actor, { client_id: other.id, description: 'Le tiroir frotte.' })
    const visit = { poseur_id, duree_minutes: 60 }
    await sav.planning.book(actor, { ...visit, debut: '2026-03-16T08:00:00Z', sav_id: created.id })
    await sav.planning.book(actor, { ...visit, debut: '2026-03-17T08:00:00Z', client_id: other.id })
    const ids = { sav: created.id, moved: moved.id }

    const get = (path: string) => door.call('GET', path, { headers: service.auth({ authorization }) })
    const items = async (path: string) => {
      const { status, json } = await get(path)
      return status === 200 ? json.data : []
    }

    it.each(Object.entries(searched))('can search by %s only if it may see it', async (field, [value, beginning]) => {
      const reads = [`/api/v1/sav`, `/api/v1/sav/${ids.sav}`, `/api/v1/sav/${ids.sav}/commentaires`, '/api/v1/clients']
      const shown = (await Promise.all([...reads, `/api/v1/sav/${ids.moved}`].map(items))).map((row) =>
        JSON.stringify(row),
      )
      const isShown = shown.some((row) => row.includes(JSON.stringify(value)))
      const {
        dossiers = [],
        clients = [],
        rdv = [],
      } = (await items(`/api/v1/recherche?q=${beginning}`)) as {
        [kind: string]: object[]
      }
      const filters = ['sav?recherche=', 'sav?ville=', 'sav?telephone=', 'clients?recherche=']
      const lists = await Promise.all(filters.map((filter) => items(`/api/v1/${filter}${beginning}`)))
      const found = [dossiers, clients, rdv, ...lists].map(({ length }) => length > 0)
      expect([field, found.includes(true)]).toEqual([field, isShown])
    })

    it('may filter cases by telephone only if it may see telephones', async () => {
      const mayRead = permissions.includes('admin') || permissions.includes('sav:read')
      const maySee = permissions.includes('admin') || permissions.includes('directory:read')
      const { status, json } = await get('/api/v1/sav?telephone=0472')
      expect(status).toBe(mayRead && maySee ? 200 : 403)
      if (status === 200) expect(json.pagination.total).toBe(2)
      else expect(json.required).toBe(mayRead ? 'directory:read' : 'sav:read')
    })
  },
)
