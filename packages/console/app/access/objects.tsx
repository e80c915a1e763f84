import { useMemo } from 'preact/hooks'
import { sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { someCases } from '../cases/questions.js'
import { allPoseurs } from '../directory/questions.js'
import { to, withQuery } from '../session/address.js'
import { allUsers } from '../users/questions.js'
import { allEndpoints, endpointName } from '../webhooks/questions.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { allKeys } from './questions.js'

/** What a call was about: what it is called here, and where it is shown; null where nothing shows it. */
interface Target {
  readonly name: string
  readonly href: string | null
}

/** A call names what it was about by a number: what was changed lately is known by its name, and the rest by that. */
const lately = { tri: '-date_modification', limite: 200 } as const

const someClients = question(
  async (_: 'all', signal) => (await sav.get('/api/v1/clients', { query: { limite: 200 }, signal })).data,
)

const none: readonly never[] = []

/** Resolves the targets of calls: `case:19`, `key:key_…`. */
export function useTargets(): (target: string | null) => Target | null {
  const { value: cases } = useRead(someCases, lately)
  const { value: clients = none } = useRead(someClients, 'all')
  const { value: poseurs = none } = useRead(allPoseurs, 'all')
  const { value: users = none } = useRead(allUsers, 'all')
  const { value: keys = none } = useRead(allKeys, 'all')
  const { value: endpoints = none } = useRead(allEndpoints, 'all')
  const t = words.value.journal.objects
  return useMemo(() => {
    const names = new Map<string, string>([
      ...(cases?.data ?? []).map(({ client }) => [`client:${client.id}`, personName(client)] as const),
      ...(cases?.data ?? []).map(({ id, reference }) => [`case:${id}`, reference] as const),
      ...clients.map((client) => [`client:${client.id}`, personName(client)] as const),
      ...poseurs.map(({ id, nom }) => [`poseur:${id}`, nom] as const),
      ...users.map(({ id, nom }) => [`user:${id}`, nom] as const),
      ...keys.map(({ id, nom }) => [`key:${id}`, nom] as const),
      ...endpoints.map((endpoint) => [`endpoint:${endpoint.id}`, endpointName(endpoint)] as const),
    ])
    return (target) => {
      const [kind = '', ...rest] = target?.split(':') ?? []
      const id = rest.join(':')
      const screens: Readonly<Record<string, string>> = {
        case: to(`/dossiers/${id}`),
        client: to(`/clients/${id}`),
        poseur: to(`/poseurs/${id}`),
        rdv: withQuery('/planning', { rdv: id }),
        user: to('/reglages/utilisateurs'),
        key: to('/reglages/api/cles'),
        endpoint: to(`/reglages/api/webhooks/${id}`),
        delivery: to(`/reglages/api/webhooks/historique/${id}`),
      }
      const numbered: Readonly<Record<string, (id: string) => string>> = t
      const name = names.get(`${kind}:${id}`) ?? numbered[kind]?.(id)
      return name === undefined ? null : { name, href: screens[kind] ?? null }
    }
  }, [cases, clients, poseurs, users, keys, endpoints, t])
}
