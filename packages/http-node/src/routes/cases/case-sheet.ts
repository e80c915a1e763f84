import type { Sav } from '@sav/core'
import type { Cell, Sheet } from '../../sheets/cells.js'

type Steps = Awaited<ReturnType<Sav['cases']['export']>>
type CaseRow = Steps extends AsyncIterable<readonly (infer Row)[]> ? Row : never

/** The cells of a row, by their names in the API. */
const columns: Readonly<Record<string, (row: CaseRow) => Cell>> = {
  reference: ({ reference }) => reference,
  statut: ({ statut }) => statut,
  priorite: ({ priorite }) => priorite,
  type_probleme: ({ type_probleme }) => type_probleme,
  date_creation: ({ date_creation }) => new Date(date_creation),
  date_modification: ({ date_modification }) => new Date(date_modification),
  date_cloture: ({ date_cloture }) => (date_cloture === null ? null : new Date(date_cloture)),
  client_nom: ({ client }) => client.nom,
  client_prenom: ({ client }) => client.prenom,
  raison_sociale: ({ raison_sociale }) => raison_sociale,
  telephone: ({ telephone }) => telephone ?? null,
  ville: ({ ville }) => ville,
  poseur: ({ poseur_assigne }) => poseur_assigne?.nom ?? null,
  description: ({ description }) => description,
}

const dates = ['date_creation', 'date_modification', 'date_cloture']

export function caseSheet(steps: Steps): Sheet {
  return { name: 'dossiers', columns: Object.keys(columns), dates, steps: cellsOf(steps) }
}

async function* cellsOf(steps: Steps) {
  const cells = Object.values(columns)
  for await (const cases of steps) yield cases.map((row) => cells.map((cellOf) => cellOf(row)))
}
