import { type Rdv, refusalOf, sav } from '../api/client.js'
import { takenIn } from './moving.js'
import { dateOf, instantOf } from './zone.js'

/**
 * Puts visits back where they were. Those that stand in each other's way wait for one another; where they do so in a ring,
 * one of them is put aside for a moment, in the evening of its day.
 * @returns how many could not be put back
 */
export async function takeBack(visits: readonly Rdv[]): Promise<number> {
  let left = visits
  // Each round brings one home, or puts one aside.
  for (let round = 0; round < 2 * visits.length && left.length > 0; round += 1) {
    const stuck: Rdv[] = []
    for (const visit of left)
      if (!(await put(visit.id, { debut: visit.debut, poseur_id: visit.poseur.id }))) stuck.push(visit)
    const [first] = stuck
    const isRing = stuck.length === left.length
    if (first === undefined || (isRing && !(await put(first.id, { debut: evening(first) })))) return stuck.length
    left = stuck
  }
  return left.length
}

const evening = ({ debut }: Rdv) => instantOf(`${dateOf(debut)}T20:00`)

/** @returns whether it is there; false: somebody is in its way */
async function put(id: number, body: { readonly debut: string; readonly poseur_id?: number }): Promise<boolean> {
  try {
    await sav.patch('/v1/planning/{id}', { params: { id }, body })
    return true
  } catch (error) {
    if (takenIn(error) !== null || refusalOf(error) !== null) return false
    throw error
  }
}
