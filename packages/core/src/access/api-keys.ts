import { hash } from 'node:crypto'
import * as z from 'zod'
import { NotFoundError } from '../errors.js'
import type { NewId } from '../ids.js'
import type { Clock, Random, Storage } from '../ports.js'
import { toInstant, toMs } from '../time.js'
import { parse, text } from '../validation.js'
import type { ApiKeyRecord } from './api-key.js'
import { parseIpRange } from './ip-ranges.js'
import { permissions } from './permissions.js'

/** What may be shown of a key. */
export type ApiKeyView = Omit<ApiKeyRecord, 'hash' | 'account_id'>

const day = 86_400_000

/** A cached key is believed for this long, so that a revocation holds everywhere within a second. */
const believedMs = 500

const prefix = 'sav_live_'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const keyLength = prefix.length + secretLength + checksumLength

export const createKeyInput = z.strictObject({
  nom: text({ min: 1, max: 120 }),
  permissions: z.array(z.enum(permissions)).min(1),
  /** Days until the key expires. */
  expire_jours: z.int().min(1).max(3650).default(365),
  ips: z
    .array(z.string().refine((range) => parseIpRange(range) !== undefined, 'must be an IP address or a CIDR'))
    .max(100)
    .default([]),
})
export type CreateKeyInput = z.input<typeof createKeyInput>

export interface Keys {
  /** The key itself is in the answer, and nowhere else ever after. @throws ValidationError */
  create(account_id: string, input: CreateKeyInput): Promise<{ key: string } & ApiKeyView>
  /** Newest first. */
  list(account_id: string): Promise<ApiKeyView[]>
  /** Effective at once in this process, within a second in others. Revoking twice is no error. @throws NotFoundError */
  revoke(account_id: string, id: string): Promise<ApiKeyView>
  /**
   * Whose key this is, or null: malformed, unknown, expired, revoked, or used from an address that it does not allow.
   * A mistyped key is refused by its checksum, without a look-up.
   */
  authenticate(key: string, ip: string): Promise<(ApiKeyView & { account_id: string }) | null>
}

export function createKeys(deps: { storage: Storage; clock: Clock; random: Random; newId: NewId }): Keys {
  const { storage, clock, random, newId } = deps
  const believed = new Map<string, { record: ApiKeyRecord; until: number }>()

  /** Unknown keys are not remembered: they would let a guesser fill the memory. */
  async function lookUp(key: string): Promise<ApiKeyRecord | null> {
    const keyHash = hash('sha256', key)
    const now = clock.now()
    const known = believed.get(keyHash)
    if (known && now < known.until && now >= known.until - believedMs) return known.record
    if (!hasValidChecksum(key)) return null
    const record = await storage.keys.findByHash(keyHash)
    if (record === null) believed.delete(keyHash)
    else believed.set(keyHash, { record, until: now + believedMs })
    return record
  }

  return {
    async create(account_id, input) {
      const { nom, permissions, ips, expire_jours } = parse(createKeyInput, input)
      const key = generateKey(random)
      const now = clock.now()
      const record: ApiKeyRecord = {
        id: newId('key'),
        account_id,
        nom,
        hash: hash('sha256', key),
        permissions: [...new Set(permissions)],
        ips,
        created_at: toInstant(now),
        expires_at: toInstant(now + expire_jours * day),
        revoked_at: null,
      }
      await storage.transaction(async (tx) => {
        if ((await tx.accounts.find(account_id)) === null) throw new NotFoundError('account', account_id)
        await tx.keys.add(record)
      })
      return { key, ...view(record) }
    },

    async list(account_id) {
      return (await storage.keys.list(account_id)).map(view)
    },

    async revoke(account_id, id) {
      const revoked = await storage.transaction(async (tx) => {
        const found = await tx.keys.find(account_id, id)
        if (found === null) throw new NotFoundError('key', id)
        const record = { ...found, revoked_at: found.revoked_at ?? toInstant(clock.now()) }
        await tx.keys.update(account_id, id, record)
        return record
      })
      believed.delete(revoked.hash)
      return view(revoked)
    },

    async authenticate(key, ip) {
      if (key.length !== keyLength || !key.startsWith(prefix)) return null
      const record = await lookUp(key)
      if (record === null || record.revoked_at !== null || toMs(record.expires_at) <= clock.now()) return null
      if (record.ips.length > 0 && !record.ips.some((range) => parseIpRange(range)?.contains(ip))) return null
      return { ...view(record), account_id: record.account_id }
    },
  }
}

const view = ({ hash: _, account_id: __, ...shown }: ApiKeyRecord): ApiKeyView => shown

/** `sav_live_`, 32 random bytes in base62, and six characters of checksum, so that scanners and typists can be sure. */
function generateKey(random: Random): string {
  const body = toBase62(random(32), secretLength)
  return `${prefix}${body}${checksum(body)}`
}

function hasValidChecksum(key: string): boolean {
  const body = key.slice(prefix.length, -checksumLength)
  return key.slice(-checksumLength) === checksum(body)
}

function checksum(body: string): string {
  return toBase62(hash('sha256', `${prefix}${body}`, 'buffer').subarray(0, 4), checksumLength)
}

function toBase62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (text.length < length) {
    text = base62.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}
