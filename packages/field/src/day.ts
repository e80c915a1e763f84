import type { CaseDetail } from '@sav/core'
import {
  type Comment,
  caseDetailShape,
  commentShape,
  customer,
  detailIn,
  found,
  lazily,
  named,
  person,
  picked,
  type Shape,
} from '@sav/core/feature'
import { planningStore, type Rdv, rdvExample, rdvShape, rdvView } from '@sav/planning/feature'
import * as z from 'zod'
import { fieldDays, mostVisits, type OwnVisitsDeps } from './own-visits.js'

const fieldRdv = named(
  'FieldRdv',
  () =>
    z.object({
      ...rdvShape().shape,
      client: z.object({
        ...customer().shape,
        telephone: z.string().nullable(),
        adresse: z.string().nullable().describe('The address as one text, if `lieu` has no lines of its own.'),
      }),
    }),
  { ...rdvExample, client: { ...rdvExample.client, telephone: '+33 6 12 34 56 78', adresse: null } },
)

/** The fields of a case that installers see: not its notes or history. */
const shownOfCase = [
  'id',
  'reference',
  'client',
  'description',
  'statut',
  'priorite',
  'type_probleme',
  'photos',
  'resolution',
  'date_cloture',
  'reserves',
  'interventions',
  'version',
] as const satisfies (keyof CaseDetail)[]

const fieldCase = lazily(() =>
  z.object({
    ...picked(caseDetailShape().shape, shownOfCase),
    commentaires: z.array(commentShape()).describe('The newest first, at most 50.'),
  }),
)

export const fieldDayShape = named(
  'FieldDay',
  () =>
    z.object({
      poseur: person(),
      du: z.iso.date().describe('The first local day.'),
      au: z.iso.date().describe('The last local day.'),
      rdv: z.array(fieldRdv()).describe('The visits, by `debut`.'),
      dossiers: z.array(fieldCase()).describe('The cases of these visits.'),
      textes_terrain: z.array(z.string()).describe('Prepared texts to choose from.'),
    }),
  {
    poseur: { id: 3, nom: 'Bruno Petit' },
    du: '2026-03-09',
    au: '2026-03-30',
    rdv: [],
    dossiers: [],
    textes_terrain: ['Charnière remplacée.'],
  },
)
/** The data for a phone; photos as SHA-256 or link. */
export interface FieldDay extends Omit<Shape<typeof fieldDayShape>, 'dossiers'> {
  readonly dossiers: readonly FieldCase[]
}
type FieldCase = Pick<CaseDetail, (typeof shownOfCase)[number]> & {
  readonly commentaires: readonly Comment[]
}

/** The visits of an installer from 7 days back to 14 ahead, with their cases. @throws NotFoundError */
export async function fieldDay(deps: OwnVisitsDeps, account_id: string, poseur_id: number): Promise<FieldDay> {
  const { reads } = deps
  const { du, au, from, until } = await fieldDays(deps, account_id)
  const poseur = found(await reads.directory.findPoseur(account_id, poseur_id), 'poseur', poseur_id)
  const { textes_terrain } = found(await reads.accounts.find(account_id), 'account', account_id)
  const filter = { from, until, poseur_id }
  const { items } = await reads.of(planningStore).list(account_id, filter, { page: 1, limite: mostVisits })
  const visits = items.filter(({ statut }) => statut !== 'propose')
  const addresses = new Map<number, string | null>()
  for (const id of new Set(visits.map(({ client }) => client.id)))
    addresses.set(id, (await reads.directory.findClient(account_id, id))?.adresse ?? null)
  const dossiers: FieldCase[] = []
  for (const id of new Set(visits.flatMap(({ sav }) => sav?.id ?? []))) {
    const dossier = await reads.cases.find(account_id, id)
    if (dossier === null) continue
    const commentaires = await reads.cases.comments(account_id, id, { beforeId: null, limit: mostComments })
    dossiers.push({ ...picked(await detailIn(reads, dossier), shownOfCase), commentaires })
  }
  const told = (rdv: Rdv) => {
    const adresse = addresses.get(rdv.client.id) ?? null
    return { ...rdvView(rdv), client: { ...rdv.client, telephone: rdv.telephone_client, adresse } }
  }
  return { poseur: { id: poseur.id, nom: poseur.nom }, du, au, rdv: visits.map(told), dossiers, textes_terrain }
}

const mostComments = 50
