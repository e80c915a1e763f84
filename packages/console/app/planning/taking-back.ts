import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { saidOf } from '../system/answered.js'
import { say, sayFailed } from '../system/notices.js'
import { words } from '../words/words.js'
import { askNotifying } from './notifying.js'

/**
 * Undoes a common move.
 * @param leave called if the user decides against it
 */
export async function takeBack(version: string, letters: number, leave: () => void): Promise<void> {
  const prevenir = await askNotifying(letters)
  if (prevenir === null) return leave()
  await sav.post('/v1/planning/tournees/annuler', { body: { version, prevenir } }).then(
    () => say(words.value.undone),
    (error: unknown) => sayFailed(saidOf(error)),
  )
  changed()
}
