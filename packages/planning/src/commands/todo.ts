import { type CommandOutput, type Context, peopleTime, textTable } from '@sav/command/feature'

export async function listTodo(context: Context): Promise<CommandOutput> {
  const { data: items } = await (await context.api()).get('/api/v1/a-traiter', {})
  const local = peopleTime(context)
  const rows = items.map(({ id, depuis, sav_id, rdv_id, client, texte }) => [
    id,
    local.fromNow(depuis),
    sav_id,
    rdv_id,
    client && `${client.prenom} ${client.nom}`.trim(),
    texte,
  ])
  const heads = ['ITEM', 'SINCE', 'CASE', 'RDV', 'CLIENT', 'WHAT']
  return { json: items, text: textTable(context.terminal, heads, rows, 'No follow-up: nothing to deal with.') }
}

export async function doneTodo(context: Context, item: string): Promise<CommandOutput> {
  const api = await context.api()
  const { data: done } = await api.post('/api/v1/a-traiter/{followUp}/fait', { params: { followUp: item } })
  return { json: done, text: `Dealt with by ${done.fait_par.nom}.` }
}
