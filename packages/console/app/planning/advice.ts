import type { Note, Rdv } from '../api/client.js'
import { timeOf } from '../session/zone.js'
import { personName } from '../words/formats.js'
import { saidBy } from '../words/service-words.js'
import { words } from '../words/words.js'

/**
 * The service's notes as sentences. Unlike a refusal, a note does not prevent the change. A visit is named by its
 * client and time, since users do not know ids.
 * @param visits the visits that a note may be about
 */
export const adviceIn = (notes: readonly Note[], visits: readonly Rdv[] = []): string[] =>
  notes.map((note) => {
    const visit = whose(visits.find(({ id }) => id === note.params['rdv_id']))
    return saidBy(words.value.planning.advice, { ...note, params: { ...note.params, visit } })
  })

const whose = (visit: Rdv | undefined): string =>
  visit === undefined
    ? words.value.planning.visit
    : words.value.planning.visitOf(personName(visit.client), timeOf(visit.debut))
