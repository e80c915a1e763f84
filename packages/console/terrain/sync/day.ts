import { erasedName } from '../../app/words/erased-name.js'
import type { AnsweredRdv, Rdv, Statut, Terrain } from '../api.js'
import { type Item, isWaiting, type Outbox } from './item.js'

/** A phone's data about its user's visits. */
export interface Day {
  readonly told: Terrain
  /** The tag that identifies an unchanged answer. */
  readonly tag: string | null
  /** Visits that the office reassigned or cancelled meanwhile, but of which this phone has unsent data. */
  readonly departed: readonly Rdv[]
}

/** A visit as the user sees it, including unsent changes. */
export interface Visit extends Rdv {
  readonly hasLeft: boolean
  /** Whether the shown visit includes changes that are not at the service yet. */
  readonly isAhead: boolean
}

const pastKeptMs = 7 * 86_400_000

/**
 * Merges a downloaded day with what the phone has. A visit that another answer changed during the download is kept if
 * its version is later, and visits with unsent data stay.
 * @param asked what the phone had when it asked. If its visits are later than the answer, the service was restored from
 * a backup
 */
export function merged(
  before: Day | null,
  told: Terrain,
  tag: string | null,
  held: ReadonlySet<number>,
  asked: Day | null = null,
): Day {
  if (before === null) return { told, tag, departed: [] }
  const known = new Map(everyRdv(before).map((rdv) => [rdv.id, rdv]))
  const askedVersion = new Map(asked?.told.rdv.map(({ id, version }) => [id, version]))
  const rdv = told.rdv.map((each) => {
    const mine = known.get(each.id)
    return mine !== undefined && mine.version > each.version && mine.version !== askedVersion.get(each.id) ? mine : each
  })
  const there = new Set(rdv.map(({ id }) => id))
  const departed = [...known.values()].filter(({ id }) => !there.has(id) && held.has(id))
  const cases = new Set([...rdv, ...departed].flatMap(({ sav }) => sav?.id ?? []))
  const dossiers = new Map([...before.told.dossiers, ...told.dossiers].map((dossier) => [dossier.id, dossier]))
  const needed = [...dossiers.values()].filter(({ id }) => cases.has(id))
  return { told: { ...told, rdv, dossiers: needed }, tag, departed }
}

/**
 * The day after an answer that it is unchanged. Reassigned visits are removed if no unsent data needs them any longer.
 */
export const unchanged = (day: Day, held: ReadonlySet<number>): Day =>
  day.departed.every(({ id }) => held.has(id)) ? day : merged(day, day.told, day.tag, held)

/** Updates a visit with the answer to a write. */
export function withAnswer(day: Day, answered: AnsweredRdv): Day {
  const { constat: _, ...rdv } = answered
  const put = (list: readonly Rdv[]) =>
    // What the answer omits, such as the client's contact data, is kept.
    list.map((old) =>
      old.id === rdv.id && old.version <= rdv.version
        ? { ...old, ...rdv, client: { ...old.client, ...rdv.client }, lieu: rdv.lieu ?? old.lieu }
        : old,
    )
  return { ...day, told: { ...day.told, rdv: put(day.told.rdv) }, departed: put(day.departed) }
}

/** The day without visits that ended more than 7 days ago, except those with unsent data. */
export function withoutPast(day: Day, now: number, held: ReadonlySet<number>): Day {
  return only(day, ({ id, fin }) => held.has(id) || now - Date.parse(fin) <= pastKeptMs)
}

export const withoutVisits = (day: Day, ids: ReadonlySet<number>): Day => only(day, ({ id }) => !ids.has(id))

/** All visits on this phone: those of the last answer, and the `departed` ones. */
const everyRdv = ({ told, departed }: Day): Rdv[] => [...told.rdv, ...departed]

/** Whether data of a visit may be stored: the visit is on this phone, and its client was not erased. */
export const takesWork = (day: Day, id: number): boolean =>
  everyRdv(day).some((rdv) => rdv.id === id && rdv.client.nom !== erasedName)

/** The ids of a visit and of all others of the same client on this phone. */
export function ofSameClient(day: Day | null, id: number): Set<number> {
  const all = day === null ? [] : everyRdv(day)
  const client = all.find((rdv) => rdv.id === id)?.client.id
  return new Set([id, ...all.filter((rdv) => rdv.client.id === client).map((rdv) => rdv.id)])
}

function only(day: Day, keep: (rdv: Rdv) => boolean): Day {
  const rdv = day.told.rdv.filter(keep)
  const departed = day.departed.filter(keep)
  if (rdv.length + departed.length === day.told.rdv.length + day.departed.length) return day
  const cases = new Set([...rdv, ...departed].flatMap(({ sav }) => sav?.id ?? []))
  const told = { ...day.told, rdv, dossiers: day.told.dossiers.filter(({ id }) => cases.has(id)) }
  // Without a tag, the next call gets the whole day. The answer "unchanged" would not bring back a visit that the
  // service still has.
  return { told, tag: null, departed }
}

/** Visits with data that is not at the service yet. */
export const heldVisits = ({ items }: Outbox, drafts: Iterable<number>): Set<number> =>
  new Set([...items.filter(({ state }) => state.is !== 'received').map(({ rdv_id }) => rdv_id), ...drafts])

/** The visits as shown, in the order of the day. */
export function visitsOf({ told, departed }: Day, { items }: Outbox): Visit[] {
  const shown = (rdv: Rdv, hasLeft: boolean): Visit => {
    const ahead = items.filter((item) => item.rdv_id === rdv.id && isWaiting(item))
    return { ...ahead.reduce(withFact, rdv), hasLeft, isAhead: ahead.length > 0 }
  }
  return [...told.rdv.map((rdv) => shown(rdv, false)), ...departed.map((rdv) => shown(rdv, true))].toSorted(
    (a, b) => a.debut.localeCompare(b.debut) || a.id - b.id,
  )
}

/** One visit as shown. */
export const visitIn = (day: Day | null, outbox: Outbox, id: number): Visit | undefined =>
  day === null ? undefined : visitsOf(day, outbox).find((visit) => visit.id === id)

/** Whether a visit has not ended yet. */
export const isOpen = ({ statut }: Pick<Rdv, 'statut'>): boolean => isToCome({ statut }) || statut === 'en_cours'

/** Whether a visit has not begun yet: only then can the installer be late. */
export const isToCome = ({ statut }: Pick<Rdv, 'statut'>): boolean => statut === 'planifie' || statut === 'confirme'

const ends: readonly Statut[] = ['realise', 'annule', 'absent']

/** Applies an unsent report to a visit. A visit that the office has ended stays ended. */
function withFact(rdv: Rdv, item: Item): Rdv {
  if (item.operation === 'retard') return { ...rdv, retard_minutes: item.body.minutes }
  if (item.operation === 'reprise') return { ...rdv, statut: 'planifie' }
  if (ends.includes(rdv.statut)) return rdv
  switch (item.operation) {
    case 'debut':
      return { ...rdv, statut: 'en_cours' }
    case 'absent':
      return { ...rdv, statut: 'absent' }
    case 'intervention':
      return { ...rdv, statut: 'realise', resultat: item.body.resultat, compte_rendu: item.body.compte_rendu ?? null }
    default:
      return rdv
  }
}
