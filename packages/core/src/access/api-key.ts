import * as z from 'zod'
import { toMs } from '../time/time.js'
import { lazily } from '../values/lazily.js'
import { examples, instant, named, ofFeatures, type Shape } from '../values/shape.js'
import { corePermissions } from './permissions.js'

/** A permission of the core or a feature. A service's API contract also lists the permissions of its features. */
export const permission = lazily(() =>
  z
    .string()
    .refine((name) => /^[a-z][a-z0-9_:-]*$/.test(name))
    .meta({ enum: Object.keys(corePermissions), [ofFeatures]: 'permissions' }),
)

const fields = lazily(() => ({
  id: z.string().describe('`key_…`'),
  nom: z.string(),
  permissions: z.array(permission()),
  ips: z.array(z.string()).describe('The addresses from which the key may be used; empty: any.'),
  created_at: instant(),
  expires_at: instant(),
  expires_soon: z.boolean().describe('Whether the key is still valid, but expires within 30 days.'),
  revoked_at: instant().nullable(),
  last_used_at: instant().nullable().describe('When the key was last used, to the minute.'),
}))
const example = {
  id: examples.key,
  nom: 'Caisse',
  permissions: ['sav:read', 'sav:write'],
  ips: ['192.0.2.0/24'],
  created_at: examples.instant,
  expires_at: '2027-01-15T10:30:00.000Z',
  expires_soon: false,
  revoked_at: null,
  last_used_at: null,
}
const text = lazily(() => z.string().describe('The key itself, `sav_live_…`. Only this answer contains it.'))
const textExample = `sav_live_${'0'.repeat(49)}`

export const keyShape = named('Key', () => z.object(fields()), example)
/** A key as callers see it. */
export type ApiKeyView = Shape<typeof keyShape>
export const newKeyShape = named('NewKey', () => z.object({ ...fields(), key: text() }), {
  ...example,
  key: textExample,
})
export const rolledKeyShape = named(
  'RolledKey',
  () => z.object({ ...fields(), key: text(), previous_expires_at: instant().describe('When the old key expires.') }),
  { ...example, key: textExample, previous_expires_at: examples.instant },
)

/** An API key as stored: without the key itself, of which only the SHA-256 is kept. Ids are time-ordered. */
export interface ApiKeyRecord extends Omit<ApiKeyView, 'expires_soon'> {
  readonly account_id: string
  /** SHA-256 of the whole key, lowercase hex. */
  readonly hash: string
  /** The id of the key that replaced this one when it was rolled. */
  readonly successor_id: string | null
}

/** Whether the key is neither revoked nor expired. */
export const isInUse = ({ revoked_at, expires_at }: ApiKeyRecord, nowMs: number): boolean =>
  revoked_at === null && toMs(expires_at) > nowMs
