import type { Statistics } from '../api/client.js'
import { saidOf } from '../system/answered.js'
import { downloadRows } from '../system/download.js'
import { sayFailed } from '../system/notices.js'
import { language, words } from '../words/words.js'

type Row = readonly [table: string, line: string, measure: string, value: number | null]

/** Every number of the page, one per row, as spreadsheets in this language read it. */
export async function downloadNumbers({ du, au, ...numbers }: Statistics): Promise<void> {
  const t = words.value.statistics
  const rows = rowsOf(numbers).map((row) => Object.fromEntries(t.file.map((head, at) => [head, row[at]])))
  const [delimiter, point] = language.value === 'fr' ? ([';', ','] as const) : ([',', '.'] as const)
  const cast = { number: (value: number) => String(value).replace('.', point) }
  try {
    await downloadRows(`statistiques-${du}-${au}.csv`, rows, { delimiter, cast })
  } catch (error) {
    sayFailed(saidOf(error))
  }
}

function rowsOf(numbers: Omit<Statistics, 'du' | 'au'>): Row[] {
  const { ouverts, premiere_visite_jours, cloture_jours, par_type, par_mois, par_poseur, pieces } = numbers
  const t = words.value.statistics
  const days = ({ mediane, p90 }: typeof cloture_jours, table: string): Row[] => [
    [table, '', t.median, mediane],
    [table, '', t.ninetieth, p90],
  ]
  const counts = (table: string, line: string, row: Omit<(typeof par_mois)[number], 'mois'>): Row[] => [
    [table, line, t.created, row.crees],
    [table, line, t.closed, row.clos],
    [table, line, t.reopened, row.rouverts],
    [table, line, t.again, row.secondes_visites],
  ]
  return [
    [t.open, '', t.under7, ouverts.moins_7_jours],
    [t.open, '', t.under30, ouverts.moins_30_jours],
    [t.open, '', t.older, ouverts.plus],
    ...days(premiere_visite_jours, t.firstVisit),
    ...days(cloture_jours, t.close),
    ...par_mois.flatMap(({ mois, ...row }) => counts(t.byMonth, mois, row)),
    ...par_type.flatMap(({ type, ...row }) => counts(t.byType, words.value.type_probleme[type], row)),
    ...par_poseur.flatMap(({ poseur: { nom }, ...row }): Row[] => [
      [t.byPoseur, nom, t.visits, row.visites],
      [t.byPoseur, nom, t.work, hoursOf(row.minutes_travail)],
      [t.byPoseur, nom, t.road, hoursOf(row.minutes_route)],
      [t.byPoseur, nom, t.reopened, row.rouverts],
    ]),
    ...pieces.map(
      ({ designation, reference, quantite }): Row => [
        t.parts,
        [designation, reference].filter(Boolean).join(' '),
        t.pieces,
        quantite,
      ],
    ),
  ]
}

/** Minutes as hours, rounded to a tenth. */
export const hoursOf = (minutes: number): number => Math.round(minutes / 6) / 10
