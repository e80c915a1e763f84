import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { peopleTime } from '../terminal/people-time.js'
import { table } from '../terminal/table.js'

export async function listTodo(context: Context): Promise<Output> {
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
  return { json: items, text: table(context.terminal, heads, rows, 'No follow-up: nothing to deal with.') }
}

export async function doneTodo(context: Context, item: string): Promise<Output> {
  const api = await context.api()
  const { data: done } = await api.post('/api/v1/a-traiter/{followUp}/fait', { params: { followUp: item } })
  return { json: done, text: `Dealt with by ${done.fait_par.nom}.` }
}
