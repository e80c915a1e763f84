import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { reachablePlanning } from './reachable-planning.js'

/** Makes the one address of a poseur's calendar, or of the whole account's; the one before ends. */
export async function renewCalendar(context: Context, poseur_id: number | undefined): Promise<Output> {
  const { remote, settings } = context
  const { url } = await (await reachablePlanning(context)).renewCalendar(poseur_id)
  // A service that does not know where it is reached tells a path alone.
  const absolute = new URL(url, remote?.url ?? `http://localhost:${settings.port}`).href
  const text = `${absolute}\nWhoever knows this address sees the calendar. It is shown here alone; the one before has ended.`
  return { json: { url: absolute }, text }
}
