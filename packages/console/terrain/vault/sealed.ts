import { type Bytes, random } from './keys.js'

/** An encrypted row on the phone. */
export interface SealedRow {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly content: ArrayBuffer
}

/** The address of a row. A row that was moved to another address cannot be decrypted. */
export type RowAddress = readonly [profile: string, kind: string, id: string]

const boundTo = (place: RowAddress) => new TextEncoder().encode(JSON.stringify(place))

export async function seal(key: CryptoKey, place: RowAddress, content: Bytes): Promise<SealedRow> {
  const iv = random(12)
  const by = { name: 'AES-GCM', iv, additionalData: boundTo(place) }
  return { iv, content: await crypto.subtle.encrypt(by, key, content) }
}

/** @throws OperationError if the key or the address is wrong */
export const unseal = (key: CryptoKey, place: RowAddress, { iv, content }: SealedRow): Promise<ArrayBuffer> =>
  crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: boundTo(place) }, key, content)

export const sealJson = (key: CryptoKey, place: RowAddress, value: unknown): Promise<SealedRow> =>
  seal(key, place, new TextEncoder().encode(JSON.stringify(value)))

export async function unsealJson<T>(key: CryptoKey, place: RowAddress, sealed: SealedRow): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await unseal(key, place, sealed)))
}

export async function sha256Of(content: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
