import { type CommandOutput, type Context, textTable } from '@sav/command/feature'
import type { PlanningCases } from '../planning.js'
import type { OptimisedRounds } from '../rounds/round-input.js'
import { type LocalTime, localTimeOf } from './local-time.js'

export interface OptimiseOptions {
  readonly date: string
  readonly poseur_id?: number[]
  readonly apply?: boolean
}

/**
 * Shows a preview of the rounds. With `apply`, the previewed plan is carried out, unless the day has changed meanwhile.
 */
export async function optimiseRounds(
  context: Context,
  { date, poseur_id, apply = false }: OptimiseOptions,
): Promise<CommandOutput> {
  const api = await context.api()
  const asked = { date, poseur_ids: poseur_id }
  const optimise = async (body: Parameters<PlanningCases['planning']['optimise']>[1]) =>
    (await api.post('/v1/planning/tournees/optimiser', { body })).data
  const preview = await optimise({ ...asked, mode: 'apercu' })
  const rounds = apply ? await optimise({ ...asked, mode: 'appliquer', version: preview.version }) : preview
  return { json: rounds, text: roundsPage(context, preview, { local: await localTimeOf(context, api), apply }) }
}

function roundsPage(
  { terminal }: Context,
  rounds: OptimisedRounds,
  { local, apply }: { readonly local: LocalTime; readonly apply: boolean },
): string {
  const travel = [
    `Travel on ${rounds.date}: ${rounds.minutes_avant} min and ${rounds.kilometres_avant} km at present,`,
    `${rounds.minutes_apres} min and ${rounds.kilometres_apres} km ${apply ? 'now' : 'as proposed'}.`,
  ].join(' ')
  const rows = rounds.deplacements.map(({ rdv_id, debut, poseur_id, ancien_debut, ancien_poseur_id }) => [
    rdv_id,
    `${local.timeOf(ancien_debut)} → ${local.timeOf(debut)}`,
    ancien_poseur_id === poseur_id ? `${poseur_id}` : `${ancien_poseur_id} → ${poseur_id}`,
  ])
  const moves = textTable(terminal, ['RDV', `TIME (${local.timeZone})`, 'POSEUR'], rows, 'Nothing moves.')
  const notes = rounds.avertissements.map(({ message }) => `Note: ${message}`)
  const remedy = apply || rows.length === 0 ? [] : ['Nothing was changed. To make these changes, add --apply.']
  return [travel, '', moves, ...(notes.length + remedy.length === 0 ? [] : ['', ...notes, ...remedy])].join('\n')
}
