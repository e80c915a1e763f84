import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { openInProgram } from '../terminal/open.js'
import { reachablePlanning } from './reachable-planning.js'

/** Makes an address of a poseur's calendar, or of the whole account's: over the network the key's, here the account's. */
export async function renewCalendar(
  context: Context,
  poseur_id: number | undefined,
  { open }: { readonly open?: true },
): Promise<Output> {
  const { url } = await (await reachablePlanning(context)).renewCalendar(poseur_id)
  if (open) await openInProgram(context, url)
  const text = [
    url,
    'Whoever knows this address sees the calendar. It is shown here alone.',
    context.remote === null
      ? 'It belongs to the account: it ends with the next one that is made here, as the one before has ended.'
      : 'It ends with your key, or with the next one that is made by it, as the one before has ended.',
  ].join('\n')
  return { json: { url }, text }
}
