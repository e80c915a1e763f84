import { type ApiKeyView, NotFoundError } from '@sav/core'
import type { Operations } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { inAccount } from '../syntax/in-account.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { confirm } from '../terminal/confirmation.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields, stateCell } from '../terminal/table.js'

export interface CreateKeyOptions {
  readonly name: string
  readonly permissions: Operations['POST']['/api/v1/cles']['body']['permissions']
  /** How many days the key is valid. */
  readonly expires: number
  readonly allow_ip?: string[]
}

const shownOnce = 'The key is shown only once: keep it where you keep secrets.'

export async function createKey(context: Context, options: CreateKeyOptions): Promise<Output> {
  const body = {
    nom: options.name,
    permissions: options.permissions,
    expire: new Date(Date.now() + options.expires * 86_400_000).toISOString(),
    ips: options.allow_ip,
  }
  const { data: key } = await (await context.api()).post('/api/v1/cles', { body })
  const text = fields(context.terminal, [
    ['Key', key.key],
    ['Id', key.id],
    ['Permissions', key.permissions.join(', ')],
    ['Allowed from', key.ips.join(', ') || 'anywhere'],
    ['Expires', peopleTime(context).zoned(key.expires_at)],
  ])
  return { json: key, text: `${text}\n\n${shownOnce}` }
}

export async function listKeys(context: Context): Promise<Output> {
  const { data: keys } = await (await context.api()).get('/api/v1/cles')
  const local = peopleTime(context)
  const columns: Column<ApiKeyView>[] = [
    { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
    { field: 'nom', head: 'NAME', cell: ({ nom }) => nom },
    { field: 'revoked_at', head: 'STATE', cell: (key) => stateCell(stateOf(key)), whole: true },
    { field: 'expires_at', head: 'EXPIRES', cell: (key) => local.dayOf(key.expires_at), whole: true },
    { field: 'last_used_at', head: 'LAST USED', cell: (key) => local.fromNow(key.last_used_at), spare: true },
    { field: 'permissions', head: 'PERMISSIONS', cell: ({ permissions }) => permissions.join(',') },
  ]
  return wholeList(context, { columns, empty: `No key yet: ${inAccount('sav keys create', context.account)}` }, keys)
}

export interface RollKeyOptions {
  /** How many seconds the old key stays valid. */
  readonly overlap?: number
}

export async function rollKey(context: Context, id: string, { overlap }: RollKeyOptions): Promise<Output> {
  const call = { params: { key: id }, body: { chevauchement_secondes: overlap } }
  const { data: key } = await (await context.api()).post('/api/v1/cles/{key}/renouveler', call)
  const text = fields(context.terminal, [
    ['Key', key.key],
    ['Id', key.id],
    ['Expires', peopleTime(context).zoned(key.expires_at)],
    ['Old key', `${id}, until ${peopleTime(context).at(key.previous_expires_at)}`],
  ])
  return { json: key, text: `${text}\n\n${shownOnce}` }
}

export async function revokeKey(context: Context, id: string, { yes }: { readonly yes?: true }): Promise<Output> {
  const api = await context.api()
  const key = (await api.get('/api/v1/cles')).data.find((each) => each.id === id)
  if (key === undefined) throw new NotFoundError('key', id)
  await confirm(context, {
    yes,
    question: `Revoke the key ${id} (${key.nom}) for good? Programs that use it are refused.`,
  })
  const { data: revoked } = await api.delete('/api/v1/cles/{key}', { params: { key: id } })
  return { json: revoked, text: `Revoked the key ${id} (${key.nom}).` }
}

function stateOf({ revoked_at, expires_at }: ApiKeyView): string {
  if (revoked_at !== null) return 'revoked'
  return Date.parse(expires_at) <= Date.now() ? 'expired' : 'valid'
}
