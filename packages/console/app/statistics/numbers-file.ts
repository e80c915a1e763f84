import type { Statistics } from '../api/client.js'
import { saidOf } from '../system/answered.js'
import { downloadRows } from '../system/download.js'
import { sayFailed } from '../system/notices.js'
import { words } from '../words/words.js'

interface Row {
  readonly tableau: string
  readonly ligne: string
  readonly mesure: string
  readonly valeur: number | null
}

/** Every number of the page, one a row. */
export async function downloadNumbers({ du, au, ...numbers }: Statistics): Promise<void> {
  try {
    await downloadRows(`statistiques-${du}-${au}.csv`, rowsOf(numbers))
  } catch (error) {
    sayFailed(saidOf(error))
  }
}

function rowsOf(numbers: Omit<Statistics, 'du' | 'au'>): Row[] {
  const { ouverts, premiere_visite_jours, cloture_jours, par_type, par_mois, par_poseur, pieces } = numbers
  const types = words.value.type_probleme
  const measured = (tableau: string, ligne: string, measures: Readonly<Record<string, number | null>>) =>
    Object.entries(measures).map(([mesure, valeur]) => ({ tableau, ligne, mesure, valeur }))
  return [
    ...measured('ouverts', '', ouverts),
    ...measured('premiere_visite_jours', '', premiere_visite_jours),
    ...measured('cloture_jours', '', cloture_jours),
    ...par_mois.flatMap(({ mois, ...counts }) => measured('par_mois', mois, counts)),
    ...par_type.flatMap(({ type, ...counts }) => measured('par_type', types[type], counts)),
    ...par_poseur.flatMap(({ poseur, ...counts }) => measured('par_poseur', poseur.nom, counts)),
    ...pieces.flatMap(({ designation, reference, quantite }) =>
      measured('pieces', [designation, reference].filter(Boolean).join(' '), { quantite }),
    ),
  ]
}
