import type { Actor, ApiKeyView, Permission, UseCases } from '@sav/core'
import type { SignedInPerson } from '@sav/core/feature'
import type { ApiRequest } from '../http/exchange.js'
import type { Authenticate } from './authentication.js'

/** The caller: a key, a user, or a caller identified by the host. */
export interface Holder {
  readonly actor: Actor
  /** The owner of limits and kept answers: a key, a user, or the host's caller. */
  readonly id: string
  readonly permissions: readonly Permission[]
  /** When the key or session expires; null for the host's callers, whose expiry only the host knows. */
  readonly expire_a: string | null
  readonly key: ApiKeyView | null
  /** Null for a key, and for the host's callers. */
  readonly session: { readonly id: string } | null
  /** The description of a user for pages; null for others. */
  readonly person: () => Promise<SignedInPerson | null>
}

const noPerson = async () => null

/**
 * A caller of the host, with the permissions that the host gives.
 * @throws TypeError for missing permissions, or one that is not `known`
 */
export async function holderOfHost<Context>(
  request: ApiRequest<Context>,
  authenticate: Authenticate<Context>,
  known: readonly string[],
): Promise<Holder | null> {
  const { method, target, ip, mount = '', original = request, context } = request
  const header = (name: string) => request.header(name)
  const found = await authenticate({ method, target, ip, mount, original, context, header })
  if (found === null) return null
  const { permissions: given, ...actor } = found
  if (given !== 'all' && !Array.isArray(given))
    throw new TypeError(`authenticate returned ${actor.nom} without permissions: return a list of them, or 'all'.`)
  const permissions = given === 'all' ? ['admin'] : given
  const other = permissions.find((each) => !known.includes(each))
  if (other !== undefined)
    throw new TypeError(`authenticate returned ${actor.nom} with ${other}, which is not one of ${known.join(', ')}.`)
  return { actor, id: actor.id ?? actor.type, permissions, expire_a: null, key: null, session: null, person: noPerson }
}

/** The caller, by the key in `Authorization`. Null when that key does not exist. */
export async function holderOfKey(
  sav: { readonly keys: Pick<UseCases['keys'], 'authenticate'> },
  header: string,
  ip: string,
): Promise<Holder | null> {
  // The scheme's name is case-insensitive (RFC 9110 §11.1).
  const isBearer = header.slice(0, 7).toLowerCase() === 'bearer '
  const key = isBearer ? await sav.keys.authenticate(header.slice(7).trim(), ip) : null
  if (key === null) return null
  const { account_id, ...view } = key
  const actor = { account_id, type: 'cle', id: key.id, nom: key.nom } as const
  return {
    actor,
    id: key.id,
    permissions: key.permissions,
    expire_a: key.expires_at,
    key: view,
    session: null,
    person: noPerson,
  }
}
