import type { Actor } from '@sav/core'
import { found, parse, preparedWrite, type Reads, type TypeProbleme, toInstant, type WritesOf } from '@sav/core/feature'
import type { Clock, Transaction } from '@sav/core/ports'
import type { AbsencesView, RdvView } from '../appointments/inputs.js'
import { type Agenda, planningStore } from '../appointments/planning-store.js'
import { isExpired, overlaps, rdvView } from '../appointments/rdv.js'
import {
  type Absence,
  type AbsencesInput,
  absencesInput,
  type CompetencesInput,
  competencesInput,
  defaultHoraires,
  type Horaires,
  type HorairesInput,
  horairesInput,
} from '../working-time/hours.js'

/**
 * Hours, absences and skills of poseurs. Each `put` method replaces everything of its kind that is recorded for the
 * poseur. Every method throws NotFoundError.
 */
export interface Agendas {
  /** The hours of a poseur; by default Monday to Friday, 08–12 and 13–17. */
  horaires(account_id: string, poseur_id: number): Promise<Horaires>
  putHoraires(actor: Actor, poseur_id: number, input: HorairesInput): Promise<Horaires>
  absences(account_id: string, poseur_id: number): Promise<AbsencesView>
  putAbsences(
    actor: Actor,
    poseur_id: number,
    input: AbsencesInput | { readonly absences: AbsencesInput },
  ): Promise<AbsencesView>
  /** The skills of a poseur; an empty list means all. */
  competences(account_id: string, poseur_id: number): Promise<readonly TypeProbleme[]>
  putCompetences(
    actor: Actor,
    poseur_id: number,
    input: CompetencesInput | { readonly competences: CompetencesInput },
  ): Promise<readonly TypeProbleme[]>
}

interface AgendaDeps {
  readonly reads: Reads
  readonly clock: Clock
}

const nothing: Agenda = { horaires: null, absences: [], absences_depuis: null, competences: [] }

export function agendaQueries({ reads, clock }: AgendaDeps): Pick<Agendas, 'horaires' | 'absences' | 'competences'> {
  return {
    horaires: async (account_id, id) => (await agendaIn(reads, account_id, id)).horaires ?? defaultHoraires,
    async absences(account_id, id) {
      const { absences } = await agendaIn(reads, account_id, id)
      return { absences, rdv: await hitBy(reads, { account_id, id, absences, at: toInstant(clock.now()) }) }
    },
    competences: async (account_id, id) => (await agendaIn(reads, account_id, id)).competences,
  }
}

export function agendaWrites({
  clock,
}: Pick<AgendaDeps, 'clock'>): WritesOf<Agendas, 'putHoraires' | 'putAbsences' | 'putCompetences'> {
  return {
    putHoraires({ account_id }, id, input) {
      return preparedWrite({
        prepare: async () => parse(horairesInput, input),
        async write(tx, horaires) {
          await put(tx, account_id, id, { horaires })
          return horaires
        },
      })
    },
    putAbsences({ account_id }, id, input) {
      return preparedWrite({
        prepare: async () => parse(absencesInput, input),
        async write(tx, absences) {
          const at = toInstant(clock.now())
          await put(tx, account_id, id, { absences, absences_depuis: at })
          return { absences, rdv: await hitBy(tx, { account_id, id, absences, at }) }
        },
      })
    },
    putCompetences({ account_id }, id, input) {
      return preparedWrite({
        prepare: async () => parse(competencesInput, input),
        async write(tx, competences) {
          await put(tx, account_id, id, { competences })
          return competences
        },
      })
    },
  }
}

async function agendaIn(reads: Reads, account_id: string, id: number): Promise<Agenda> {
  found(await reads.directory.findPoseur(account_id, id), 'poseur', id)
  return (await reads.of(planningStore).agenda(account_id, id)) ?? nothing
}

/** In a transaction the look-up locks the poseur, so that no two changes of an agenda overwrite each other. */
async function put(tx: Transaction, account_id: string, id: number, changes: Partial<Agenda>): Promise<void> {
  const before = await agendaIn(tx, account_id, id)
  await tx.of(planningStore).putAgenda(account_id, id, { ...before, ...changes })
}

interface Away {
  readonly account_id: string
  readonly id: number
  readonly absences: readonly Absence[]
  readonly at: string
}

async function hitBy(reads: Reads, { account_id, id, absences, at }: Away): Promise<RdvView[]> {
  const [first] = absences
  if (first === undefined) return []
  const fin =
    absences
      .map((absence) => absence.fin)
      .toSorted()
      .at(-1) ?? first.fin
  const taken = await reads.of(planningStore).overlapping(account_id, [id], { debut: first.debut, fin })
  return taken.filter((rdv) => !isExpired(rdv, at) && absences.some((absence) => overlaps(absence, rdv))).map(rdvView)
}
