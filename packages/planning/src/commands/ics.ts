import { baseOf, type CommandOutput, type Context, openInProgram, wholeLink } from '@sav/command/feature'

/**
 * Creates the address of a poseur's calendar, or of the whole account's. Over the network the address belongs to the
 * key, and without a network to the account.
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
    'Anyone who knows this address sees the calendar. It is shown only here.',
    context.remote === null
      ? 'It belongs to the account. An earlier one, if there is one, no longer works. The next call of this command ends this address.'
      : 'It ends with your key. An earlier one, if there is one, no longer works. The next call of this command ends this address.',
  ].join('\n')
  return { json: { url }, text }
}
