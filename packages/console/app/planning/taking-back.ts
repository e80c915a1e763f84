import { sav } from '../api/client.js'
import { act } from '../system/act.js'
import { words } from '../words/words.js'
import { askNotifying } from './notifying.js'

/**
 * Undoes the move of several visits.
 * @param leave called if the user decides against it
 */
export async function takeBack(version: string, letters: number, leave: () => void): Promise<void> {
  const prevenir = await askNotifying(letters)
  if (prevenir === null) return leave()
  await act(() => sav.post('/v1/planning/tournees/annuler', { body: { version, prevenir } }), words.value.undone)
}
