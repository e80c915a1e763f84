import { cliActor } from '@sav/command/feature'
import type { CreateCaseInput } from '@sav/core'
import type { BusinessCalendar } from '@sav/core/adapter'
import type { BookRdvInput } from '@sav/planning'
import { demoPhotos } from './demo-photos.gen.js'
import type { WholeSav } from './whole-sav.js'

/** The installer of the day. */
export interface DemoInstaller {
  readonly account: string
  readonly poseur_id: number
  readonly clients: readonly number[]
}

interface DayVisit extends Pick<BookRdvInput, 'duree_minutes' | 'type' | 'statut' | 'notes'> {
  /** Minutes after midnight. */
  readonly at: number
  /** The index of the client in the list of clients. */
  readonly client: number
  /** The problem of the case; without it the visit has no case. */
  readonly problem?: Omit<CreateCaseInput, 'client_id'>
}

/** The day of the demo's visits: today, or on a weekend the next Monday. */
export function dayOfDemo(calendar: BusinessCalendar, nowMs: number): string {
  const today = calendar.dateAt(nowMs)
  const ahead = [1, 0, 0, 0, 0, 0, 2][new Date(`${today}T00:00:00Z`).getUTCDay()] ?? 0
  return new Date(Date.parse(`${today}T00:00:00Z`) + ahead * 86_400_000).toISOString().slice(0, 10)
}

/** A day of visits for one installer's phone. Resolves to the number of visits. */
export async function seedDay(
  sav: WholeSav,
  calendar: BusinessCalendar,
  date: string,
  { account, poseur_id, clients }: DemoInstaller,
): Promise<number> {
  const actor = cliActor(account)
  for (const { at, client, problem, ...visit } of dayVisits) {
    const client_id = clients[client % clients.length] ?? 0
    const debut = new Date(calendar.timeOfDay(date, at)).toISOString()
    const whom = problem ? { sav_id: (await sav.cases.create(actor, { ...problem, client_id })).id } : { client_id }
    await sav.planning.book(actor, { ...visit, ...whom, debut, poseur_id })
  }
  return dayVisits.length
}

const dayVisits: readonly DayVisit[] = [
  {
    ...{ at: 8 * 60, duree_minutes: 90, client: 0, type: 'sav', statut: 'confirme' },
    problem: {
      description: 'Les deux tiroirs à casseroles ne rentrent plus jusqu’au bout depuis dimanche.',
      type_probleme: 'quincaillerie',
      priorite: 'haute',
      photos: [demoPhotos.frontScratched],
    },
  },
  {
    ...{ at: 10 * 60, duree_minutes: 60, client: 4, type: 'sav' },
    problem: {
      description: 'Joint du plan de travail décollé derrière l’évier, l’eau coule dans le meuble.',
      type_probleme: 'plan_travail',
      priorite: 'urgente',
      photos: [demoPhotos.worktopChipped],
    },
  },
  {
    ...{ at: 11 * 60 + 30, duree_minutes: 45, client: 3, type: 'controle' },
    notes: 'Prendre les cotes du panneau de côté avant de commander.',
  },
  {
    ...{ at: 13 * 60 + 30, duree_minutes: 90, client: 5, type: 'sav', statut: 'confirme' },
    problem: {
      description: 'La porte du lave-vaisselle intégré touche la plinthe et reste entrouverte.',
      type_probleme: 'reglage',
      priorite: 'normale',
    },
  },
  {
    ...{ at: 15 * 60 + 30, duree_minutes: 60, client: 6, type: 'sav' },
    problem: {
      description: 'Façade du four éclatée dans l’angle, remplaçante arrivée à l’atelier.',
      type_probleme: 'facade',
      priorite: 'normale',
      photos: [demoPhotos.frontScratched],
    },
  },
  {
    ...{ at: 17 * 60, duree_minutes: 45, client: 1, type: 'sav' },
    problem: {
      description: 'Éclairage sous les meubles hauts : un spot sur trois ne s’allume plus.',
      type_probleme: 'electromenager',
      priorite: 'basse',
    },
  },
]
