/**
 * The stored key of a profile. It is wrapped by the code or passkey of the user and by a key that no script can take
 * off this phone; neither alone unwraps it.
 */
interface WrappedKey {
  /** The key of this phone; not extractable. */
  readonly deviceKey: CryptoKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly wrapped: ArrayBuffer
}
export interface CodeLock extends WrappedKey {
  readonly is: 'code'
  readonly salt: Uint8Array<ArrayBuffer>
  readonly rounds: number
}
export interface PasskeyLock extends WrappedKey {
  readonly is: 'passkey'
  readonly credential: ArrayBuffer
  /** The input for the passkey, whose answer is the secret (WebAuthn PRF). */
  readonly question: Uint8Array<ArrayBuffer>
}
export type Lock = CodeLock | PasskeyLock

/** The byte types that the Web Crypto of browsers and of Node accepts. */
export type Bytes = ArrayBuffer | Uint8Array<ArrayBuffer>

/** The number of rounds that OWASP recommends for PBKDF2 with SHA-256. */
const pinRounds = 600_000
const aes = { name: 'AES-GCM', length: 256 } as const

export const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length))

async function secretOfPin(pin: string, { salt, rounds }: Pick<CodeLock, 'salt' | 'rounds'>): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits'])
  return crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }, key, 256)
}

/** The key that wraps a profile's key: an HMAC of the secret with the phone's own key, so that both are needed. */
async function wrappingKey(secret: Bytes, deviceKey: CryptoKey): Promise<CryptoKey> {
  const bits = await crypto.subtle.sign('HMAC', deviceKey, secret)
  return crypto.subtle.importKey('raw', bits, aes, false, ['wrapKey', 'unwrapKey'])
}

async function wrap(key: CryptoKey, secret: Bytes): Promise<WrappedKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 } as const
  const deviceKey = await crypto.subtle.generateKey(hmac, false, ['sign'])
  const iv = random(12)
  const wrapped = await crypto.subtle.wrapKey('raw', key, await wrappingKey(secret, deviceKey), { name: 'AES-GCM', iv })
  return { deviceKey, iv, wrapped }
}

/** Unwraps a key; null if the secret is wrong. */
async function unwrap({ deviceKey, iv, wrapped }: WrappedKey, secret: Bytes): Promise<CryptoKey | null> {
  const by = await wrappingKey(secret, deviceKey)
  return crypto.subtle
    .unwrapKey('raw', wrapped, by, { name: 'AES-GCM', iv }, aes, false, ['encrypt', 'decrypt'])
    .catch(() => null)
}

const newKey = () => crypto.subtle.generateKey(aes, true, ['encrypt', 'decrypt'])

export interface NewLock<L extends Lock> {
  readonly lock: L
  readonly key: CryptoKey
}

/** Unwraps a new key as not extractable, so that no script can read its bytes any more. */
async function made<L extends Lock>(lock: L, secret: Bytes): Promise<NewLock<L>> {
  const key = await unwrap(lock, secret)
  if (key === null) throw new Error('a new key cannot be unwrapped with its own secret')
  return { lock, key }
}

export async function lockByPin(pin: string, rounds = pinRounds): Promise<NewLock<CodeLock>> {
  const salt = random(16)
  const secret = await secretOfPin(pin, { salt, rounds })
  return made({ is: 'code', salt, rounds, ...(await wrap(await newKey(), secret)) }, secret)
}

export async function openByPin(lock: CodeLock, pin: string): Promise<CryptoKey | null> {
  return unwrap(lock, await secretOfPin(pin, lock))
}

export async function lockBySecret(
  passkey: Pick<PasskeyLock, 'credential' | 'question'>,
  secret: ArrayBuffer,
): Promise<NewLock<PasskeyLock>> {
  return made({ is: 'passkey', ...passkey, ...(await wrap(await newKey(), secret)) }, secret)
}

export const openBySecret = (lock: PasskeyLock, secret: ArrayBuffer): Promise<CryptoKey | null> => unwrap(lock, secret)
