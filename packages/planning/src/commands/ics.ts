import { baseOf, type CommandOutput, type Context, openInProgram, wholeLink } from '@sav/command/feature'

/**
 * Creates the address of a poseur's calendar, or of the whole account's. Over the network, the address belongs to the
 * API key; otherwise it belongs to the account.
 */
export async function renewCalendar(
  context: Context,
  poseur_id: number | undefined,
  { open }: { readonly open?: true },
): Promise<CommandOutput> {
  const api = await context.api()
  const { data } = await (poseur_id === undefined
    ? api.post('/v1/planning/calendrier')
    : api.post('/v1/planning/poseurs/{id}/calendrier', { params: { id: poseur_id } }))
  const url = wholeLink(data.url, await baseOf(context))
  if (open) await openInProgram(context, url)
  const text = [
    url,
    'Anyone who knows this address can see the calendar. The address is not shown again.',
    context.remote === null
      ? 'The address belongs to the account. Each call replaces the account’s previous address of this calendar.'
      : 'The address works as long as your key. Each call replaces your previous address of this calendar.',
  ].join('\n')
  return { json: { url }, text }
}
