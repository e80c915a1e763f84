import { type Lieu, ValidationError } from '@sav/core'
import {
  type CalendarOf,
  found,
  nowhere,
  parse,
  type Reads,
  type Slot,
  toInstant,
  toMs,
  yieldToEventLoop,
} from '@sav/core/feature'
import type { Clock, Poseur, SavCase } from '@sav/core/ports'
import { activePoseurs, agendaInForce, namedPoseurs } from '../agendas/poseurs.js'
import type { PlanningAdvice } from '../appointments/advice.js'
import { comingDays, daysAfter } from '../appointments/days.js'
import { planningStore } from '../appointments/planning-store.js'
import { durationMinutes, isExpired, type NewRdv, personsOf, placeOf } from '../appointments/rdv.js'
import { loadPlaces, type PointOf } from '../places/places.js'
import { fieldProblem } from '../refusals.js'
import { estimatedSeconds } from '../travel/bands.js'
import type { Point } from '../travel/travel-times.js'
import { type LocalDay, localDays, type WorkingTime, workingDays } from '../working-time/working-days.js'
import { type SlotsInput, type SlotsQuestion, slotsInput } from './slot-input.js'
import type { SlotTokens } from './slot-token.js'
import { bySlotRank, type Candidate, freeSlots, type SlotQuery, type Slot as Start } from './slots.js'

/** The times for a visit. */
export interface SlotOffers {
  /**
   * Slots of active, skilled poseurs: least added travel first, then the earliest. Each has a token that books it for
   * 15 minutes, but reserves nothing. Travel is estimated from the distance, and is zero if no place is given.
   * @throws ValidationError, also for an unknown case, poseur or place
   */
  slots(account_id: string, input: SlotsInput): Promise<readonly Slot[]>
}

export interface SlotOffersDeps {
  readonly clock: Clock
  readonly calendarOf: CalendarOf
  readonly tokens: SlotTokens
}

/** How many days are searched for alternatives, from the wanted one on. */
const alternativeDays = 7
const maxAlternatives = 3
/** How many days a customer may choose from, beginning with the first possible one. */
const otherDays = 14
const halfDayMs = 12 * 3_600_000
/** Days of one poseur that are searched before yielding: some 7 ms with eight visits on each. */
const daysAtOnce = 60

/** Finds times for a visit. */
export function slotOffers({ reads, ...deps }: SlotOffersDeps & { readonly reads: Reads }): SlotOffers {
  return {
    async slots(account_id, input) {
      const question = parse(slotsInput, input)
      const account = found(await reads.accounts.find(account_id), 'account', account_id)
      const { fuseau, zone_feries: zoneFeries } = account
      const calendar = deps.calendarOf(fuseau)
      const now = deps.clock.now()
      const { du, au } = comingDays(question, calendar.dateAt(now))
      const pointOf = await loadPlaces()
      const { point, type_probleme } = await askedPlace(reads, account_id, question, pointOf)
      const days = localDays({ du, au, calendar, zoneFeries })
      const { poseur_id } = question
      const poseurs =
        poseur_id === undefined
          ? await activePoseurs(reads, account_id)
          : await namedPoseurs(reads, account_id, [poseur_id], () => 'poseur_id')
      const { duree, pas = account.pas, tampon, delai_min, fenetre = null, limite } = question
      const notBefore = now + delai_min * 60_000
      const query = { duree, pas, tampon, fenetre, limite, notBefore, point, type_probleme, calendar }
      const staff = await staffOf(reads, { account_id, poseurs, pointOf })
      let best: readonly Start[] = []
      for (const part of partsOf(days, Math.max(1, Math.floor(daysAtOnce / Math.max(1, staff.length))))) {
        const candidates = await candidatesOf(reads, { account_id, staff, days: part, now, pointOf })
        best = [...best, ...freeSlots(candidates, query, estimatedSeconds)].sort(bySlotRank).slice(0, limite)
        await yieldToEventLoop(account_id)
      }
      return offered(best, { account_id, poseurs, now, tokens: deps.tokens })
    },
  }
}

/** The advice for booking: the slot of a token, and the alternatives to a taken time. */
export function slotAdvice(deps: SlotOffersDeps): PlanningAdvice {
  const { clock, tokens } = deps
  return {
    openSlot: (account_id, jeton) => tokens.open(account_id, jeton, clock.now()),
    async alternatives(reads, wanted) {
      const now = clock.now()
      const wantedMs = Math.max(toMs(wanted.debut), now)
      const { starts, poseurs } = await teamStarts(reads, deps, {
        wanted,
        fromMs: wantedMs,
        dayCount: alternativeDays,
        query: { notBefore: now, point: null },
        pasOf: (grid) => grid,
      })
      const nearest = starts.toSorted((a, b) => Math.abs(a.debut - wantedMs) - Math.abs(b.debut - wantedMs))
      return offered(nearest.slice(0, maxAlternatives), { account_id: wanted.account_id, poseurs, now, tokens })
    },
    async otherTimes(reads, rdv, notBefore) {
      const { account_id, debut } = rdv
      const point = placed(await loadPlaces(), placeOf(rdv))
      const { starts, poseurs, calendar } = await teamStarts(reads, deps, {
        wanted: rdv,
        fromMs: notBefore,
        dayCount: otherDays,
        query: { notBefore, point },
        // Customers choose among half-hours, or full hours if the account's grid does not fit into half-hours.
        pasOf: (grid) => (30 % grid === 0 ? 30 : 60),
      })
      const halfDayOf = (ms: number) => Math.floor((ms + calendar.offsetAt(ms)) / halfDayMs)
      const best = new Map<number, Start>()
      for (const start of starts) {
        const halfDay = halfDayOf(start.debut)
        if (start.debut !== toMs(debut) && !best.has(halfDay)) best.set(halfDay, start)
      }
      const soonest = [...best.values()].toSorted((a, b) => a.debut - b.debut).slice(0, maxAlternatives)
      return offered(soonest, { account_id, poseurs, now: clock.now(), tokens })
    },
  }
}

interface TeamQuestion {
  readonly wanted: NewRdv
  /** An instant on the first of the days. */
  readonly fromMs: number
  readonly dayCount: number
  readonly query: Pick<SlotQuery, 'notBefore' | 'point'>
  /** The step between starts, by the grid of the account. */
  readonly pasOf: (grid: number) => number
}

/**
 * Other times for the whole team of an appointment: least added travel first. The current time of the appointment
 * counts as free.
 */
async function teamStarts(
  reads: Reads,
  { clock, calendarOf }: SlotOffersDeps,
  { wanted, fromMs, dayCount, query, pasOf }: TeamQuestion,
) {
  const { account_id } = wanted
  const { fuseau, zone_feries: zoneFeries, pas } = found(await reads.accounts.find(account_id), 'account', account_id)
  const calendar = calendarOf(fuseau)
  const du = calendar.dateAt(fromMs)
  const days = localDays({ du, au: daysAfter(du, dayCount - 1), calendar, zoneFeries })
  const poseurs = await teamOf(reads, wanted)
  const pointOf = await loadPlaces()
  const staff = await staffOf(reads, { account_id, poseurs, pointOf })
  const asked = { account_id, staff, days, now: clock.now(), pointOf, leaving: wanted }
  const team = together(await candidatesOf(reads, asked))
  const fixed = { duree: durationMinutes(wanted), tampon: 0, fenetre: null, limite: 200, type_probleme: null }
  const starts =
    team === null ? [] : freeSlots([team], { ...fixed, ...query, pas: pasOf(pas), calendar }, estimatedSeconds)
  return { starts, poseurs, calendar }
}

/** The place of the visit, and the skill that it needs. A case determines both. */
async function askedPlace(reads: Reads, account_id: string, question: SlotsQuestion, pointOf: PointOf) {
  const { sav_id, lat, lon, code_postal, ville, type_probleme = null } = question
  if (sav_id !== undefined) {
    const dossier = await caseOf(reads, account_id, sav_id)
    const client = await reads.directory.findClient(account_id, dossier.client.id)
    const point = client?.lieu == null ? null : (pointOf(client.lieu)?.point ?? null)
    return { point, type_probleme: type_probleme ?? dossier.type_probleme }
  }
  if (lat !== undefined && lon !== undefined) return { point: { lat, lon }, type_probleme }
  if (code_postal === undefined && ville === undefined) return { point: null, type_probleme }
  const lieu = { ...nowhere, code_postal: code_postal ?? null, ville: ville ?? null }
  const place = pointOf(lieu)
  if (place !== null) return { point: place.point, type_probleme }
  const field = code_postal === undefined ? 'ville' : 'code_postal'
  throw new ValidationError([fieldProblem(field, 'place_unknown', { place: code_postal ?? ville ?? '' })])
}

async function caseOf(reads: Reads, account_id: string, sav_id: number): Promise<SavCase> {
  const dossier = await reads.cases.find(account_id, sav_id)
  if (dossier === null) throw new ValidationError([fieldProblem('sav_id', 'case_unknown', { id: sav_id })])
  return dossier
}

/** The poseur in charge of a booking, then the teammates. */
async function teamOf(reads: Reads, wanted: NewRdv): Promise<Poseur[]> {
  const team: Poseur[] = []
  for (const id of personsOf(wanted)) {
    const poseur = await reads.directory.findPoseur(wanted.account_id, id)
    if (poseur !== null) team.push(poseur)
  }
  return team
}

function* partsOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

const placed = (pointOf: PointOf, lieu: Lieu | null): Point | null =>
  lieu === null ? null : (pointOf(lieu)?.point ?? null)

/** What is known about a poseur for every day. */
interface Member extends Pick<Candidate, 'poseur_id' | 'competences' | 'depart' | 'retour'> {
  readonly worktime: WorkingTime
}

interface Staff {
  readonly account_id: string
  readonly poseurs: readonly Poseur[]
  readonly pointOf: PointOf
}

async function staffOf(reads: Reads, { account_id, poseurs, pointOf }: Staff): Promise<Member[]> {
  const staff: Member[] = []
  for (const { id, lieu, lieu_retour } of poseurs) {
    const { competences, ...worktime } = agendaInForce(await reads.of(planningStore).agenda(account_id, id))
    staff.push({
      poseur_id: id,
      competences,
      depart: placed(pointOf, lieu),
      retour: placed(pointOf, lieu_retour ?? lieu),
      worktime,
    })
  }
  return staff
}

interface CandidateQuery {
  readonly account_id: string
  readonly staff: readonly Member[]
  readonly days: readonly LocalDay[]
  readonly now: number
  readonly pointOf: PointOf
  /** An appointment whose current time counts as free. */
  readonly leaving?: NewRdv
}

/** Poseurs with their hours and their visits on these days. */
async function candidatesOf(
  reads: Reads,
  { account_id, staff, days, now, pointOf, leaving }: CandidateQuery,
): Promise<Candidate[]> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const interval = { debut: toInstant(first.day.debut), fin: toInstant(last.day.fin) }
  const ids = staff.map(({ poseur_id }) => poseur_id)
  const at = toInstant(now)
  const own = leaving !== undefined && 'id' in leaving ? leaving.id : null
  const taken = (await reads.of(planningStore).overlapping(account_id, ids, interval)).filter(
    (rdv) => !isExpired(rdv, at) && rdv.id !== own,
  )
  const visits = new Map(ids.map((id): [number, Candidate['visits'][number][]] => [id, []]))
  for (const rdv of taken) {
    const visit = { debut: toMs(rdv.debut), fin: toMs(rdv.fin), point: placed(pointOf, placeOf(rdv)) }
    for (const id of personsOf(rdv)) visits.get(id)?.push(visit)
  }
  return staff.map(({ worktime, ...member }) => ({
    ...member,
    visits: visits.get(member.poseur_id) ?? [],
    days: workingDays(worktime, days),
  }))
}

/** A team as one candidate: it is free when its poseur works and no member is busy. */
function together([lead, ...others]: readonly Candidate[]): Candidate | null {
  if (lead === undefined) return null
  return { ...lead, depart: null, retour: null, visits: [lead, ...others].flatMap(({ visits }) => visits) }
}

interface OfferDeps {
  readonly account_id: string
  readonly poseurs: readonly Poseur[]
  readonly now: number
  readonly tokens: SlotTokens
}

function offered(starts: readonly Start[], { account_id, poseurs, now, tokens }: OfferDeps): Slot[] {
  const names = new Map(poseurs.map(({ id, nom }) => [id, nom]))
  return starts.map(({ poseur_id, trajet_avant_minutes, trajet_ajoute_minutes, ...interval }) => {
    const [debut, fin] = [toInstant(interval.debut), toInstant(interval.fin)]
    return {
      debut,
      fin,
      poseur: { id: poseur_id, nom: names.get(poseur_id) ?? '' },
      trajet_avant_minutes,
      trajet_ajoute_minutes,
      jeton: tokens.issue(account_id, { poseur_id, debut, fin }, now),
    }
  })
}
