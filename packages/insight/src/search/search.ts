import type { CaseSummary } from '@sav/core'
import {
  type BusinessCalendar,
  type CaseHead,
  customer,
  examples,
  idOf,
  instant,
  lazily,
  named,
  parse,
  type Reads,
  reference,
  type Shape,
  searched,
  statut,
} from '@sav/core/feature'
import type { Client } from '@sav/core/ports'
import { planningStore } from '@sav/planning/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'

/**
 * The search: `q` has 1 to 200 characters, with a letter or digit; `limite` for each kind is 1 to 50, 10 by default.
 */
export const searchInput = lazily(() =>
  z.strictObject({
    q: searched().describe('Words, a name, a street, a town, a telephone number, or the number of a case.'),
    limite: z.int().min(1).max(50).default(10).describe('The maximum number of results of each kind.'),
  }),
)
/** What `search` takes. */
export type SearchInput = Inputs['search']

const ville = lazily(() => z.string().nullable().describe('Town, if it is known.'))

export const foundShape = named(
  'Found',
  () =>
    z.object({
      dossiers: z.array(
        z.object({
          id: idOf('the case'),
          reference: reference(),
          client: customer(),
          ville: ville(),
          statut: statut(),
          description: z.string(),
        }),
      ),
      clients: z.array(customer().extend({ telephone: z.string().nullable(), ville: ville() })),
      rdv: z
        .array(z.object({ id: idOf('the appointment'), debut: instant(), client: customer(), ville: ville() }))
        .describe('The appointments of the cases and clients that were found.'),
    }),
  {
    dossiers: [
      {
        id: 42,
        reference: examples.reference,
        client: { id: 7, nom: 'Durand', prenom: 'Alice' },
        ville: 'Givors',
        statut: 'ouvert',
        description: 'La porte du meuble bas ne ferme plus.',
      },
    ],
    clients: [{ id: 7, nom: 'Durand', prenom: 'Alice', telephone: '+33612345678', ville: 'Givors' }],
    rdv: [
      {
        id: 91,
        debut: '2026-03-16T08:00:00.000Z',
        client: { id: 7, nom: 'Durand', prenom: 'Alice' },
        ville: 'Givors',
      },
    ],
  },
)
/** The results of a search, each kind newest first. */
export type SearchResults = Shape<typeof foundShape>

/**
 * The kinds that the caller may see; lists of other kinds are empty. Cases are always included. A caller who may not
 * see clients finds cases and appointments only by a client's name and town.
 */
export interface SearchScope {
  readonly clients: boolean
  readonly rdv: boolean
}

/** The search for people who answer the telephone. */
export interface Search {
  /**
   * Finds cases, clients and appointments by words, like `recherche` of the lists. A case whose number is among the
   * words comes first.
   */
  search(account_id: string, input: SearchInput, seen: SearchScope): Promise<SearchResults>
}

export interface SearchDeps {
  readonly reads: Reads
  readonly clock: { now(): number }
  readonly calendar: BusinessCalendar
}

export function searchQueries({ reads, clock, calendar }: SearchDeps): Search {
  /** Cases with that number: of the given year, or of the last five years. */
  async function numberedCases(account_id: string, q: string): Promise<CaseHead[]> {
    const number = numberIn(q)
    if (number === null) return []
    const year = calendar.yearAt(clock.now())
    const years = number.annee === null ? lastYears.map((ago) => year - ago) : [number.annee]
    const found = years.map((annee) => reads.cases.findByReference(account_id, { annee, numero: number.numero }))
    return (await Promise.all(found)).filter((each) => each !== null)
  }

  /** The town of a client. It is needed for cases that were found by number, since these have no town. */
  async function townOf(account_id: string, client_id: number): Promise<string | null> {
    const client = await reads.directory.findClient(account_id, client_id)
    return client && town(client)
  }

  return {
    async search(account_id, input, seen) {
      const { q, limite } = parse(searchInput, input)
      const sought = { recherche: q, limit: limite, ...(!seen.clients && { withoutContact: true as const }) }
      const [numbered, cases, clients] = await Promise.all([
        numberedCases(account_id, q),
        reads.cases.search(account_id, sought),
        seen.clients || seen.rdv ? reads.directory.searchClients(account_id, sought) : [],
      ])
      const all = new Map<number, CaseHead | CaseSummary>([...numbered, ...cases].map((each) => [each.id, each]))
      const dossiers = [...all.values()].slice(0, limite)
      const [towns, rdv] = await Promise.all([
        Promise.all(dossiers.map((each) => ('ville' in each ? each.ville : townOf(account_id, each.client.id)))),
        seen.rdv
          ? reads.of(planningStore).latest(account_id, {
              sav_ids: dossiers.map(({ id }) => id),
              client_ids: clients.map(({ id }) => id),
              limit: limite,
            })
          : [],
      ])
      return {
        dossiers: dossiers.map(({ id, reference, client, statut, description }, index) => ({
          ...{ id, reference, client, statut, description },
          ville: towns[index] ?? null,
        })),
        clients: (seen.clients ? clients : []).map((client) => ({
          ...{ id: client.id, nom: client.nom, prenom: client.prenom },
          ...{ telephone: client.telephone, ville: town(client) },
        })),
        rdv: rdv.map(({ id, debut, client, lieu, lieu_client }) => ({
          ...{ id, debut, client },
          ville: (lieu ?? lieu_client)?.ville ?? null,
        })),
      }
    },
  }
}

const lastYears = [0, 1, 2, 3, 4]
const town = ({ lieu }: Pick<Client, 'lieu'>) => lieu?.ville ?? null

/** The number in a text such as `170`, `00170`, `2026-170`, `170/2026`, `SAV 2026 00170`; null if there is none. */
export function numberIn(q: string): { readonly annee: number | null; readonly numero: number } | null {
  const usual = q.replace(/^(?:sav)?\s*(\d{1,9})\s*\/\s*(\d{4})$/i, '$2-$1')
  const [, annee, numero] = /^(?:sav)?[\s-]*(?:(\d{4})[\s-]+)?(\d{1,9})$/i.exec(usual) ?? []
  if (numero === undefined || Number(numero) === 0) return null
  return { annee: annee === undefined ? null : Number(annee), numero: Number(numero) }
}
