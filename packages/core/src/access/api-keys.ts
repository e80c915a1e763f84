import * as z from 'zod'
import { conflict, type FieldProblem, fieldProblem, found } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import { sha256Of } from '../node-crypto.js'
import { issue } from '../refusals/reason.js'
import type { Reads } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, dayMs, toInstant, toMs } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import { lazily } from '../values/lazily.js'
import type { Random } from '../values/random.js'
import type { Shape } from '../values/shape.js'
import { dateOrInstant, foundIn, line, overlap, parse, parseWith, shortText } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import type { Actor } from './actor.js'
import {
  type ApiKeyRecord,
  type ApiKeyView,
  isInUse,
  type newKeyShape,
  permission,
  type rolledKeyShape,
} from './api-key.js'
import { parseIpRange } from './ip-ranges.js'
import type { KeyReads } from './key-store.js'
import { generateKey, isKey } from './key-text.js'
import { createKnownCredentials, type KnownCredentials } from './known-credentials.js'
import type { Permission, PermissionDeclarations } from './permissions.js'

const defaultLifetimeMs = 365 * dayMs
/** The longest lifetime of a key: ten years. */
const maxLifetimeMs = 3653 * dayMs
/** How long before its end a key is reported as expiring soon, so that there is time to replace it. */
export const expiryNoticeMs = 30 * dayMs

/**
 * A new key: `nom` of 1 to 120 characters after trimming, at least one permission, at most 100 addresses and CIDRs, and
 * a future end, at most 10 years from now.
 */
export const createKeyInput = lazily(() =>
  z.strictObject({
    nom: line({ min: 1, max: 120 }),
    permissions: z.array(permission()).min(1),
    expire: dateOrInstant()
      .optional()
      .describe('When the key expires: an instant, or the start of a day. By default in a year.'),
    ips: z
      .array(
        shortText(100).refine((range) => parseIpRange(range) !== undefined, {
          error: ({ input }) => issue('not_an_ip_or_cidr', { found: foundIn(input) }),
        }),
      )
      .max(100)
      .default([])
      .describe('Addresses and CIDRs from which the key may be used; empty: any.'),
  }),
)
/** What `keys.create` takes. */
export type CreateKeyInput = Omit<Inputs['createKey'], 'permissions'> & {
  /** Only permissions of the core and of composed features. */
  permissions: Permission[]
}

/** How long a key overlaps with its successor. */
export const rollKeyInput = lazily(() =>
  z.strictObject({
    chevauchement_secondes: overlap(
      'For how many seconds the old key still works beside the new one; 0 for a key that has leaked.',
    ),
  }),
)
/** What `keys.roll` takes. */
export type RollKeyInput = Inputs['rollKey']

/** The API keys of an account. The store has only the SHA-256 of each. */
export interface Keys {
  /** Creates a key. Only this answer contains the key itself. @throws ValidationError */
  create(actor: Actor, input: CreateKeyInput): Promise<Shape<typeof newKeyShape>>
  /** The keys of an account, newest first. Each has the permissions that it was created with. */
  list(account_id: string): Promise<ApiKeyView[]>
  /**
   * Creates a successor with the same name, permissions, addresses and lifetime. Only this answer contains the key
   * itself. The old key expires at `previous_expires_at`: when the overlap ends, or at its own end if that is earlier.
   * @throws ValidationError, NotFoundError, ConflictError when the old key is revoked, has expired, or was already
   *   rolled (revoke its successor first)
   */
  roll(actor: Actor, id: string, input: RollKeyInput): Promise<Shape<typeof rolledKeyShape>>
  /**
   * Revokes a key: at once in this process, within a second in others. Revoking it again changes nothing. @throws
   * NotFoundError
   */
  revoke(actor: Actor, id: string): Promise<ApiKeyView>
  /**
   * The key with its account; null when it is malformed, unknown, expired, revoked, or used from an address that it
   * does not allow. A mistyped key is refused by its checksum, without a look-up. The permissions of features that are
   * not composed are left out.
   */
  authenticate(key: string, ip: string): Promise<(ApiKeyView & { account_id: string }) | null>
}

/** A key as callers see it at `now` (milliseconds since the Unix epoch). */
function view({ hash: _, account_id: __, successor_id: ___, ...shown }: ApiKeyRecord, now: number): ApiKeyView {
  const leftMs = toMs(shown.expires_at) - now
  return { ...shown, expires_soon: shown.revoked_at === null && leftMs > 0 && leftMs <= expiryNoticeMs }
}

export interface KeyQueriesDeps {
  readonly reads: Reads
  readonly clock: Clock
  readonly known: KnownCredentials<ApiKeyRecord>
  readonly permissions: PermissionDeclarations
  /** Called for each key that was accepted. */
  readonly used: (key: Pick<ApiKeyRecord, 'account_id' | 'id'>) => void
}

export function keyQueries(deps: KeyQueriesDeps): Pick<Keys, 'list' | 'authenticate'> {
  const { reads, clock, known, used } = deps
  return {
    async list(account_id) {
      return (await reads.keys.list(account_id)).map((key) => view(key, clock.now()))
    },
    async authenticate(key, ip) {
      const record = await known.find(key, (hash) => reads.keys.findByHash(hash))
      if (record === null || !isInUse(record, clock.now())) return null
      if (record.ips.length > 0 && !record.ips.some((range) => parseIpRange(range)?.contains(ip))) return null
      used(record)
      const permissions = record.permissions.filter((each) => Object.hasOwn(deps.permissions, each))
      return { ...view(record, clock.now()), permissions, account_id: record.account_id }
    },
  }
}

export const createKnownKeys = (clock: Pick<Clock, 'monotonic'>): KnownCredentials<ApiKeyRecord> =>
  createKnownCredentials(clock, { isWellFormed: isKey, hashOf: ({ hash }) => hash })

const lifetimeOf = ({ created_at, expires_at }: ApiKeyRecord): number => toMs(expires_at) - toMs(created_at)

/** The newest successor of a key, or the key itself if it was never rolled. */
async function latestOf(keys: KeyReads, key: ApiKeyRecord): Promise<ApiKeyRecord> {
  const { account_id, successor_id } = key
  const successor = successor_id === null ? null : await keys.find(account_id, successor_id)
  return successor === null ? key : latestOf(keys, successor)
}

export interface KeyWritesDeps {
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly random: Random
  readonly newId: NewId
  /** This process's cache of keys. A revoked key is removed from it, so that the revocation takes effect at once. */
  readonly known: KnownCredentials<ApiKeyRecord>
  readonly permissions: PermissionDeclarations
}

export function keyWrites(deps: KeyWritesDeps): WritesOf<Keys, 'create' | 'roll' | 'revoke'> {
  const { clock, calendar, random, newId, known } = deps
  const ofService = lazily(() =>
    createKeyInput().extend({ permissions: z.array(z.enum(Object.keys(deps.permissions))).min(1) }),
  )

  /** Checks only `expire`; the schema checks the other fields. */
  const expireProblem = async (input: unknown): Promise<FieldProblem | null> => {
    const { data } = dateOrInstant().optional().safeParse(Object(input).expire)
    if (data === undefined) return null
    const lifetimeMs = toMs(calendar.instantOf(data)) - clock.now()
    if (lifetimeMs <= 0) return fieldProblem('expire', 'expiry_past')
    return lifetimeMs > maxLifetimeMs ? fieldProblem('expire', 'expiry_too_far') : null
  }

  type NewKeyFields = Pick<ApiKeyRecord, 'account_id' | 'nom' | 'permissions' | 'ips'>

  function newKey({ account_id, nom, permissions, ips }: NewKeyFields, lifetime: { now: number; expires_at: string }) {
    const key = generateKey(random)
    const record: ApiKeyRecord = {
      id: newId('key'),
      account_id,
      nom,
      hash: sha256Of(key),
      permissions,
      ips,
      created_at: toInstant(lifetime.now),
      expires_at: lifetime.expires_at,
      revoked_at: null,
      last_used_at: null,
      successor_id: null,
    }
    return { key, record }
  }

  return {
    create({ account_id }, input) {
      return preparedWrite({
        prepare: () => parseWith(ofService, input, expireProblem),
        async write(tx, { nom, permissions, ips, expire }) {
          const now = clock.now()
          const expires_at = expire === undefined ? toInstant(now + defaultLifetimeMs) : calendar.instantOf(expire)
          const fields = { account_id, nom, permissions: [...new Set(permissions)], ips }
          const { key, record } = newKey(fields, { now, expires_at })
          found(await tx.accounts.find(account_id), 'account', account_id)
          await tx.keys.add(record)
          return { key, ...view(record, now) }
        },
      })
    },

    roll({ account_id }, id, input) {
      const { chevauchement_secondes } = parse(rollKeyInput, input)
      return {
        async write(tx) {
          const old = found(await tx.keys.find(account_id, id), 'key', id)
          const now = clock.now()
          if (!isInUse(old, now))
            throw old.revoked_at === null ? conflict('key_expired', { id }) : conflict('key_revoked', { id })
          const latest = await latestOf(tx.keys, old)
          if (latest !== old && isInUse(latest, now)) throw conflict('key_rolled', { id, successor: latest.id })
          // A rolled key ends with its overlap, so its newest successor determines the lifetime.
          const expires_at = toInstant(now + lifetimeOf(latest))
          const { key, record } = newKey(old, { now, expires_at })
          await tx.keys.add(record)
          const previous_expires_at = toInstant(Math.min(toMs(old.expires_at), now + chevauchement_secondes * 1000))
          const fields = { revoked_at: null, expires_at: previous_expires_at, successor_id: record.id }
          await tx.keys.update(account_id, id, fields)
          return { key, previous_expires_at, ...view(record, now) }
        },
        committed: () => known.forget((key) => key.id === id),
      }
    },

    revoke({ account_id }, id) {
      return {
        async write(tx) {
          const key = found(await tx.keys.find(account_id, id), 'key', id)
          const record = { ...key, revoked_at: key.revoked_at ?? toInstant(clock.now()) }
          await tx.keys.update(account_id, id, record)
          return view(record, clock.now())
        },
        committed: () => known.forget((key) => key.id === id),
      }
    },
  }
}
