import type { CaseFilter } from '../../api/client.js'
import { withQuery } from '../../session/address.js'
import { isDate } from '../../session/zone.js'

type Query = Readonly<Record<string, string>>

const statuts = ['ouvert', 'en_cours', 'clos', 'non_clos'] as const
const priorites = ['urgente', 'haute', 'normale', 'basse'] as const
const types = ['quincaillerie', 'electromenager', 'plan_travail', 'facade', 'reglage', 'autre'] as const

const happenings = ['clos', 'rouvert', 'visite', 'revisite'] as const

const orders = [
  '-date_creation',
  'date_creation',
  '-date_modification',
  'date_modification',
  '-priorite',
  'priorite',
  'client',
  '-client',
  'ville',
  '-ville',
] as const
export type Order = (typeof orders)[number]
/** The default order of the list. */
export const usualOrder: Order = '-date_creation'

export const choices = { statuts, priorites, types, happenings, orders }

const oneOf = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text)

const date = (text: string | undefined) => (isDate(text) ? text : undefined)

const count = (text: string | undefined) => {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : undefined
}

export const pageSize = 50

/** The filter in the list's address; invalid parts are left out. */
export function filterOf(query: Query): CaseFilter & { readonly page: number } {
  const { recherche } = query
  return {
    statut: oneOf(statuts, query['statut']),
    priorite: oneOf(priorites, query['priorite']),
    type_probleme: oneOf(types, query['type_probleme']),
    poseur_id: query['poseur_id'] === 'aucun' ? 'aucun' : count(query['poseur_id']),
    client_id: count(query['client_id']),
    recherche: recherche?.trim() || undefined,
    depuis: date(query['depuis']),
    jusque: date(query['jusque']),
    age_min: count(query['age_min']),
    age_max: count(query['age_max']),
    survenu: oneOf(happenings, query['survenu']),
    visite_par: count(query['visite_par']),
    ville: query['ville']?.trim() || undefined,
    telephone: query['telephone']?.trim() || undefined,
    du: date(query['du']),
    au: date(query['au']),
    tri: oneOf(orders, query['tri']),
    page: count(query['page']) ?? 1,
    limite: pageSize,
  }
}

/**
 * The list's address with a filter, of which a part may be changed. It leads to the first page, unless the change names
 * a page.
 */
export function addressOf(filter: CaseFilter, change: Partial<CaseFilter> = {}): string {
  const { limite: _, page, ...next } = { ...filter, page: undefined, ...change }
  const tri = next.tri === usualOrder ? undefined : next.tri
  return withQuery('/dossiers', { ...next, tri, page: page === 1 ? undefined : page })
}

/** How many filters are set besides the status and the search, which are visible anyway. */
export const hiddenFilters = ({ statut: _, recherche, page, limite, du, au, tri, ...others }: CaseFilter): number =>
  Object.values(others).filter((value) => value !== undefined).length
