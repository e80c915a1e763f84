import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { openInProgram } from '../terminal/open.js'
import { reachablePlanning } from './reachable-planning.js'

/** Makes the one address of a poseur's calendar, or of the whole account's; the one before ends. */
export async function renewCalendar(
  context: Context,
  poseur_id: number | undefined,
  { open }: { readonly open?: true },
): Promise<Output> {
  const { url } = await (await reachablePlanning(context)).renewCalendar(poseur_id)
  if (open) await openInProgram(context, url)
  const text = `${url}\nWhoever knows this address sees the calendar. It is shown here alone; the one before has ended.`
  return { json: { url }, text }
}
