import type { ApiKeyView, CreateKeyInput } from '@sav/core'
import type { Context } from '../context.js'
import { fields, table } from '../table.js'
import type { Output } from '../world.js'

export interface CreateKeyOptions {
  readonly name: string
  readonly permissions: CreateKeyInput['permissions']
  /** In days. */
  readonly expires: number
  readonly allowIp?: string[]
}

export async function createKey(context: Context, options: CreateKeyOptions): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const key = await sav.keys.create(account_id, {
    nom: options.name,
    permissions: options.permissions,
    expire_jours: options.expires,
    ips: options.allowIp,
  })
  const text = fields(context.terminal, [
    ['Key', key.key],
    ['Id', key.id],
    ['Permissions', key.permissions.join(', ')],
    ['Allowed from', key.ips.join(', ') || 'anywhere'],
    ['Expires', key.expires_at],
  ])
  return { json: key, text: `${text}\n\nThe key is shown this once: keep it where secrets are kept.` }
}

export async function listKeys(context: Context): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const keys = await sav.keys.list(account_id)
  const rows = keys.map((key) => [key.id, key.nom, stateOf(key), key.expires_at, key.permissions.join(',')])
  return {
    json: keys,
    text: table(
      context.terminal,
      ['ID', 'NAME', 'STATE', 'EXPIRES', 'PERMISSIONS'],
      rows,
      'No key yet: sav keys create',
    ),
  }
}

export async function revokeKey(context: Context, id: string): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const key = await sav.keys.revoke(account_id, id)
  return { json: key, text: `Revoked the key ${key.id} (${key.nom}).` }
}

function stateOf({ revoked_at, expires_at }: ApiKeyView): string {
  if (revoked_at !== null) return 'revoked'
  return Date.parse(expires_at) <= Date.now() ? 'expired' : 'valid'
}
