import { cliActor } from '@sav/command/feature'
import type { CloseCaseInput, CreateCaseInput } from '@sav/core'
import type { BusinessCalendar } from '@sav/core/adapter'
import { demoPhotos, demoSignature } from './demo-photos.gen.js'
import type { WholeSav } from './whole-sav.js'

/** A clock that can be set. */
export interface DemoClock {
  set(ms: number): void
}

/** The people of the demo's month, and the Monday after it. */
export interface DemoMonth {
  readonly account: string
  readonly monday: string
  readonly calendar: BusinessCalendar
  readonly clients: readonly number[]
  readonly poseurs: readonly number[]
  /**
   * A URL at which nothing listens. The closes of the last days are sent there, and fail; null if local URLs are not
   * allowed.
   */
  readonly failingReceiver: string | null
}

interface Past extends Pick<CreateCaseInput, 'description' | 'type_probleme' | 'priorite' | 'photos'> {
  /**
   * How many days before `monday` the case was opened. Its visit is three days later, or on the Friday before if that
   * is a weekend.
   */
  readonly daysAgo: number
  readonly end: 'closed' | 'closed with reserves' | 'reopened' | 'cancelled' | 'absent' | 'partly done' | 'waiting'
  readonly resolution?: string
  readonly photo_apres?: string
}

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

/**
 * Four weeks of a shop, created by the use cases with the clock set to each time: cases with every outcome, photos,
 * visits, reports, and a failing receiver. Every run creates the same data, except for the dates.
 */
export async function seedMonth(
  sav: WholeSav,
  clock: DemoClock,
  month: DemoMonth,
): Promise<{ cases: number; rdv: number }> {
  const actor = cliActor(month.account)
  const midnight = month.calendar.timeOfDay(month.monday, 0)
  const steps: { readonly at: number; readonly take: () => Promise<unknown> }[] = []
  const step = (at: number, take: () => Promise<unknown>) => steps.push({ at, take })
  let rdv = 0

  for (const [n, { daysAgo, end, resolution = '', photo_apres, ...problem }] of pastCases.entries()) {
    const opened = midnight - daysAgo * day + 9 * hour + ((n * 37) % 300) * minute
    const debut = weekday(midnight - (daysAgo - 3) * day) + (8 + 2 * (n % 4)) * hour
    const poseur_id = month.poseurs[(n >> 2) % month.poseurs.length] ?? 0
    const client_id = month.clients[n % month.clients.length] ?? 0
    const photo_avant = problem.photos?.[0]
    let id = 0
    let visit = 0
    step(opened, async () => {
      id = (await sav.cases.create(actor, { ...problem, client_id })).id
    })
    if (end === 'waiting') continue
    step(opened + 2 * hour, async () => {
      await sav.cases.update(actor, id, { poseur_id, statut: 'en_cours' })
      const when = { debut: new Date(debut).toISOString(), duree_minutes: 90 }
      visit = (await sav.planning.book(actor, { sav_id: id, poseur_id, type: 'sav', ...when })).id
      rdv += 1
    })
    step(opened + 5 * hour, () =>
      end === 'cancelled'
        ? sav.planning.change(actor, visit, {
            statut: 'annule',
            motif_annulation: 'Le client est absent cette semaine-là.',
          })
        : sav.planning.change(actor, visit, { statut: 'confirme' }),
    )
    if (end === 'cancelled') continue
    step(debut + 2 * hour, () =>
      end === 'absent'
        ? sav.planning.change(actor, visit, { statut: 'absent' })
        : sav.planning.change(actor, visit, {
            statut: 'realise',
            resultat: end === 'partly done' ? 'partiel' : 'resolu',
            compte_rendu: end === 'partly done' ? 'Pièce commandée, à poser dès réception.' : resolution,
          }),
    )
    if (end === 'absent' || end === 'partly done') continue
    const close: CloseCaseInput = {
      resolution,
      signature_client: demoSignature,
      reserves: end === 'closed with reserves' ? ['Joint d’angle à reprendre à la prochaine visite.'] : [],
      ...(photo_avant !== undefined && { photo_avant }),
      ...(photo_apres !== undefined && { photo_apres }),
    }
    step(debut + 2 * hour + 10 * minute, () => sav.cases.close(actor, id, close))
    if (end === 'reopened')
      step(debut + 2 * day, () =>
        sav.cases.reopen(actor, id, { motif: 'Le client signale que la porte frotte de nouveau.' }),
      )
  }
  const { failingReceiver: url } = month
  if (url !== null)
    step(midnight - 9 * day, () =>
      sav.webhooks.endpoints.add(actor, { url, events: ['sav.closed'], description: 'Ancien ERP, qui ne répond plus' }),
    )

  for (const { at, take } of steps.toSorted((a, b) => a.at - b.at)) {
    clock.set(at)
    await take()
  }
  return { cases: pastCases.length, rdv }
}

/** The time itself, or on a weekend the same time on the Friday before. */
function weekday(ms: number): number {
  const inWeek = new Date(ms + 12 * hour).getUTCDay()
  return ms - (inWeek === 0 ? 2 : inWeek === 6 ? 1 : 0) * day
}

const mended = { photos: [demoPhotos.doorBroken], photo_apres: demoPhotos.doorMended }

const pastCases: readonly Past[] = [
  {
    ...{ daysAgo: 28, end: 'closed', type_probleme: 'quincaillerie', priorite: 'normale', ...mended },
    description: 'La porte du meuble haut pend, la charnière du haut s’est arrachée du côté.',
    resolution: 'Charnière remplacée et côté renforcé, porte réglée et essayée avec le client.',
  },
  {
    ...{ daysAgo: 27, end: 'closed', type_probleme: 'reglage', priorite: 'basse' },
    description: 'Les trois tiroirs sous la plaque ne ferment plus en douceur.',
    resolution: 'Amortisseurs nettoyés et coulisses réglées, fermeture contrôlée.',
  },
  {
    ...{ daysAgo: 25, end: 'closed with reserves', type_probleme: 'plan_travail', priorite: 'normale' },
    photos: [demoPhotos.worktopChipped],
    description: 'Éclat de deux centimètres sur le chant du plan de travail, devant la plaque.',
    resolution: 'Éclat repris à la cire dure et poli, joint de la plaque vérifié.',
  },
  {
    ...{ daysAgo: 24, end: 'cancelled', type_probleme: 'autre', priorite: 'basse' },
    description: 'Plinthe du côté de la fenêtre tombée, les clips sont cassés.',
  },
  {
    ...{ daysAgo: 23, end: 'reopened', type_probleme: 'quincaillerie', priorite: 'haute', ...mended },
    description: 'La porte du placard d’angle frotte sur le sol depuis la livraison du lave-vaisselle.',
    resolution: 'Porte réglée de quatre millimètres et charnières resserrées.',
  },
  {
    ...{ daysAgo: 21, end: 'closed', type_probleme: 'electromenager', priorite: 'urgente' },
    description: 'Le four encastré disjoncte dès la mise en chauffe, cuisine inutilisable.',
    resolution: 'Raccordement du four refait, essai de chauffe de trente minutes sans défaut.',
  },
  {
    ...{ daysAgo: 20, end: 'closed', type_probleme: 'facade', priorite: 'normale' },
    photos: [demoPhotos.frontScratched],
    description: 'Façade du deuxième tiroir rayée sur toute la largeur.',
    resolution: 'Façade remplacée par une neuve de la même série, alignement contrôlé.',
  },
  {
    ...{ daysAgo: 18, end: 'absent', type_probleme: 'reglage', priorite: 'normale' },
    description: 'Le meuble colonne penche vers l’avant et touche la porte du réfrigérateur.',
  },
  {
    ...{ daysAgo: 16, end: 'closed', type_probleme: 'quincaillerie', priorite: 'normale', ...mended },
    description: 'Vérin de la porte relevante cassé, elle retombe d’un coup.',
    resolution: 'Paire de vérins remplacée, ouverture et tenue contrôlées.',
  },
  {
    ...{ daysAgo: 14, end: 'closed', type_probleme: 'plan_travail', priorite: 'haute' },
    photos: [demoPhotos.worktopChipped],
    description: 'Le plan de travail gonfle près de l’évier, l’eau passe sous le joint.',
    resolution: 'Joint d’évier refait au silicone, chant poncé et scellé.',
  },
  {
    ...{ daysAgo: 11, end: 'closed', type_probleme: 'reglage', priorite: 'basse' },
    description: 'Jour irrégulier entre les deux portes du meuble sous évier.',
    resolution: 'Portes réglées en hauteur et en profondeur, jour de deux millimètres.',
  },
  {
    ...{ daysAgo: 10, end: 'closed', type_probleme: 'facade', priorite: 'normale' },
    photos: [demoPhotos.frontScratched],
    description: 'Panneau de côté livré dans la mauvaise teinte, à échanger.',
    resolution: 'Panneau échangé contre la teinte commandée, reprise de l’ancien.',
  },
  {
    ...{ daysAgo: 8, end: 'partly done', type_probleme: 'electromenager', priorite: 'haute' },
    description: 'La hotte ne se met plus en route, la commande tactile ne répond pas.',
  },
  {
    ...{ daysAgo: 7, end: 'waiting', type_probleme: 'autre', priorite: 'normale' },
    description: 'Bandeau lumineux sous les meubles hauts qui clignote le soir.',
  },
  {
    ...{ daysAgo: 6, end: 'closed', type_probleme: 'quincaillerie', priorite: 'normale', ...mended },
    description: 'Poignée de la porte coulissante arrachée, vis foirées.',
    resolution: 'Poignée reposée avec des inserts, coulissement contrôlé.',
  },
  {
    ...{ daysAgo: 4, end: 'waiting', type_probleme: 'electromenager', priorite: 'urgente' },
    description: 'Fuite d’eau sous l’évier à chaque vidange du lave-vaisselle.',
  },
]
