import type { Rdv } from '../api/client.js'
import { timeOf } from '../session/zone.js'
import { personName } from '../words/formats.js'
import { moment } from '../words/service-words.js'
import { language, words } from '../words/words.js'

/** What the service notes of a plan, as it says it: it refuses nothing for it, so that it has no codes. */
const inFrench: readonly (readonly [note: RegExp, french: string])[] = [
  [/^(.+) does not work during all of this time\.$/, '$1 ne travaille pas pendant tout ce temps.'],
  [/^(.+) is away from (.+) to (.+)\.$/, '$1 est absent de $2 à $3.'],
  [/^(.+) is not recorded as able to do (.+)\.$/, 'chez $1, cette compétence n’est pas notée : $2.'],
  [
    /^Rdv (.+) stays where it is: it fits into none .+$/,
    'Le rendez-vous $1 reste où il est : les journées sont pleines.',
  ],
  [
    /^Rdv (.+) stays where it is: nobody works .+$/,
    'Le rendez-vous $1 reste où il est : personne n’est libre assez longtemps dans son créneau.',
  ],
  [
    /^Rdv (.+) stays where it is: none of these .+$/,
    'Le rendez-vous $1 reste où il est : aucun de ces poseurs n’en a la compétence.',
  ],
]

/**
 * The notes of the service, which refuse nothing. The ids of people and visits are left out: people do not know them.
 * @param visits those that it may be about
 */
export const adviceIn = (notes: readonly string[], visits: readonly Rdv[] = []): string[] =>
  notes.map((note) => {
    const found = language.value === 'fr' ? inFrench.find(([pattern]) => pattern.test(note)) : undefined
    const said = found === undefined ? note : note.replace(...found)
    return said
      .replace(/(Rdv|Le rendez-vous) (\d+)/, (_, __, id) => whose(visits.find((each) => each.id === Number(id))))
      .replace(/ \(\d+\)/, '')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, moment)
  })

const whose = (visit: Rdv | undefined): string =>
  visit === undefined
    ? words.value.planning.visit
    : words.value.planning.visitOf(personName(visit.client), timeOf(visit.debut))
