import type { Actor, ApiKeyView, Permission, Reason, UseCases } from '@sav/core'
import { reason, type SessionView, type SignedInCaller } from '@sav/core/internal'
import type { ConsoleOrigin } from '../http/console-origin.js'
import { cookieOf, sessionCookie } from '../http/cookies.js'
import type { ApiRequest } from '../http/exchange.js'
import { Refusal } from '../http/failures.js'
import type { Authenticate } from './authentication.js'

/** Who calls: somebody with a key, a person who is signed in, or somebody whom the host knows. */
export interface Holder {
  readonly actor: Actor
  /** Whose limits, and kept answers, these are: a key's, a person's, or whom the host named. */
  readonly id: string
  readonly permissions: readonly Permission[]
  /** When it ends, if nothing ends it before; null: only the host knows. */
  readonly expire_a: string | null
  readonly key: ApiKeyView | null
  readonly session: SessionView | null
}

interface Doors {
  readonly keys: Pick<UseCases['keys'], 'authenticate'>
  readonly sessions: Pick<UseCases['sessions'], 'authenticate' | 'check'>
}

/**
 * The caller, by the key in `Authorization`, which goes before any cookie; else by the session in the cookie. Null when that
 * key, or that session, does not exist.
 * @throws Refusal for the cookie of a call that no page of ours makes, and for that of a phone that the office has ended
 */
export async function holderOf(
  sav: Doors,
  request: ApiRequest,
  { ip, originOf }: { readonly ip: string; readonly originOf: ConsoleOrigin },
): Promise<Holder | null> {
  const header = request.header('authorization')
  if (header !== undefined) return holderOfKey(sav, header, ip)
  const secret = cookieOf(request, sessionCookie)
  if (secret === null) return null
  refuseCrossSite(request, originOf)
  const signedIn = await sav.sessions.authenticate(secret)
  if (signedIn === 'ended device') throw new Refusal('unauthorized', { headers: ['X-Sav-Device', 'ended'] })
  return holderOfSession(signedIn)
}

/** Who calls, of a call that was let in and goes on: null when that key, or that session, has ended. */
export async function holderStill(sav: Doors, request: ApiRequest, ip: string): Promise<Holder | null> {
  const header = request.header('authorization')
  if (header !== undefined) return holderOfKey(sav, header, ip)
  const secret = cookieOf(request, sessionCookie)
  return secret === null ? null : holderOfSession(await sav.sessions.check(secret))
}

/** A caller whom the host knows, with the permissions that the host gives. @throws TypeError when the host gives none */
export async function holderOfHost<Context>(
  request: ApiRequest<Context>,
  authenticate: Authenticate<Context>,
): Promise<Holder | null> {
  const { method, target, ip, mount = '', original = request, context } = request
  const header = (name: string) => request.header(name)
  const found = await authenticate({ method, target, ip, mount, original, context, header })
  if (found === null) return null
  const { permissions: given, ...actor } = found
  if (given !== 'all' && !Array.isArray(given))
    throw new TypeError(`authenticate let ${actor.nom} in without permissions: give a list of them, or 'all'.`)
  const permissions = given === 'all' ? (['admin'] as const) : given
  return { actor, id: actor.id ?? actor.type, permissions, expire_a: null, key: null, session: null }
}

async function holderOfKey(sav: Doors, header: string, ip: string): Promise<Holder | null> {
  // The scheme's name is case-insensitive (RFC 9110 §11.1).
  const isBearer = header.slice(0, 7).toLowerCase() === 'bearer '
  const key = isBearer ? await sav.keys.authenticate(header.slice(7).trim(), ip) : null
  if (key === null) return null
  const { account_id, ...view } = key
  const actor = { account_id, type: 'cle', id: key.id, nom: key.nom } as const
  return { actor, id: key.id, permissions: key.permissions, expire_a: key.expires_at, key: view, session: null }
}

function holderOfSession(signedIn: SignedInCaller | null): Holder | null {
  if (signedIn === null) return null
  const { user, session, permissions } = signedIn
  const { account_id, id, nom, poseur_id } = user
  const actor = { account_id, type: 'utilisateur', id, nom, poseur_id } as const
  return { actor, id, permissions, expire_a: session.expire_a, key: null, session }
}

/**
 * Refuses what another site's page makes a browser send: its cookie comes along by itself. A page of ours can set a header
 * and has our origin; of a read the browser says so alone.
 * @throws Refusal
 */
export function refuseCrossSite(request: ApiRequest, consoleOrigin: ConsoleOrigin): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const problem = isRead ? readProblem(request) : writeProblem(request, consoleOrigin)
  if (problem !== null) throw new Refusal('cross_site', { because: problem })
}

const readProblem = (request: ApiRequest) =>
  request.header('sec-fetch-site') === 'same-origin' ? null : reason('read_from_other_site')

function writeProblem(request: ApiRequest, consoleOrigin: ConsoleOrigin): Reason | null {
  const own = consoleOrigin(request)
  if (own === null || request.header('origin') !== own) return reason('write_from_other_site')
  return request.header('x-sav-console') === '1' ? null : reason('console_header_missing')
}
