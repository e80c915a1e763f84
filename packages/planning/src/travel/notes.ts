import { filled, type ParamsArgument } from '@sav/core/feature'

/**
 * The English sentence of each note on an appointment or a plan, by a code that never changes. A note refuses nothing.
 * Params are in braces. Screens in other languages have their own sentence for each code.
 */
export const noteSentences = {
  poseur_not_working: '{nom} ({id}) does not work during all of this time.',
  poseur_away: '{nom} ({id}) is away from {debut} to {fin}.',
  poseur_not_skilled: '{nom} ({id}) is not recorded as able to do {type_probleme}.',
  rdv_stays_unskilled: 'Rdv {rdv_id} stays where it is: none of these poseurs has the skill that it needs.',
  rdv_stays_out_of_hours: 'Rdv {rdv_id} stays where it is: no installer works for long enough within its window.',
  rdv_stays_days_full: 'Rdv {rdv_id} stays where it is: it fits into no day with the other visits.',
  travel_estimated: 'Travel times are estimates: the router did not answer ({problem}).',
  travel_partly_estimated: 'Some travel times are estimates: the router found no route between two places.',
  rounds_own: 'The service planned the rounds itself: VROOM did not answer ({problem}).',
} as const

type NoteCode = keyof typeof noteSentences

export const isNoteCode = (name: string): name is NoteCode => name in noteSentences

/** A note on an appointment or a plan. It refuses nothing. */
export interface Note {
  readonly code: NoteCode
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

export function note<Code extends NoteCode>(
  code: Code,
  ...[params]: ParamsArgument<(typeof noteSentences)[Code]>
): Note {
  const given: Note['params'] = { ...params }
  return { code, params: given, message: filled(noteSentences[code], given) }
}
