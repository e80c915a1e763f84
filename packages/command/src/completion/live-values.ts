import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { readProfiles } from '../settings/profiles.js'
import { largestPage } from '../terminal/listing.js'
import { oneLine } from '../terminal/terminal.js'
import type { Candidate, LiveKind } from './candidates.js'

/** The most candidates to offer: nobody would read more. */
const limite = 50

/** The values of a kind in the store or the service, newest first if they are listed by time. */
export async function liveValues(context: Context, kind: LiveKind, typed: string): Promise<Candidate[]> {
  const found = await valuesOf(context, kind, typed)
  return found.map(([value, means]) => ({ value: String(value), means: oneLine(means) }))
}

type Value = readonly [value: string | number, means: string]

async function valuesOf(context: Context, kind: LiveKind, typed: string): Promise<Value[]> {
  if (kind === 'profiles') return Object.entries(readProfiles(context)).map(([name, { url }]) => [name, url])
  if (kind === 'accounts') {
    const { sav } = await context.open()
    return (await sav.accounts.list()).map(({ id, raison_sociale }) => [id, raison_sociale ?? ''])
  }
  return listed[kind](await context.api(), typed)
}

const query = { limite }

/** How to read the values of each kind from the API. */
const listed: Readonly<
  Record<Exclude<LiveKind, 'profiles' | 'accounts'>, (api: SavClient, typed: string) => Promise<Value[]>>
> = {
  cases: async (api) =>
    (await api.get('/api/v1/sav', { query })).data.map(({ id, reference, description }) => [
      id,
      `${reference} ${description.slice(0, 60)}`,
    ]),
  references: async (api, typed) => {
    const latest = await referencesOf(api, { limite: largestPage })
    const isThere = latest.some(([reference]) => String(reference).startsWith(typed))
    return isThere ? latest : referencesOf(api, { limite, recherche: typed })
  },
  clients: async (api) =>
    (await api.get('/api/v1/clients', { query })).data.map(({ id, nom, prenom }) => [id, `${prenom} ${nom}`.trim()]),
  users: async (api) =>
    (await api.get('/api/v1/utilisateurs')).data.map(({ id, nom, email }) => [id, `${nom} ${email}`]),
  poseurs: async (api) => (await api.get('/api/v1/poseurs', { query })).data.map(({ id, nom }) => [id, nom]),
  keys: async (api) => (await api.get('/api/v1/cles')).data.map(({ id, nom }) => [id, nom]),
  endpoints: async (api) => (await api.get('/api/v1/webhooks')).data.map(({ id, url }) => [id, url]),
  deliveries: async (api) =>
    (await api.get('/api/v1/webhooks/livraisons', { query })).data.map(({ id, event, state }) => [
      id,
      `${event} ${state}`,
    ]),
}

const referencesOf = async (api: SavClient, query: { limite: number; recherche?: string }): Promise<Value[]> =>
  (await api.get('/api/v1/sav', { query })).data.map(({ reference, description }) => [
    reference,
    description.slice(0, 60),
  ])
