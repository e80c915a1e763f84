import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { keyIdOf } from '@sav/core/adapter'

/**
 * The last line of a backup is its seal. It comes after the pages of the database, and SQLite ignores it. It contains
 * the id of the secret key, and an HMAC-SHA-256 over every preceding byte. The HMAC's key is derived from the secret
 * key only for this purpose (RFC 5869). So a file can be verified before any of it is parsed.
 */
const purpose = 'sav-backup-v1'
const form = new RegExp(`^\\n${purpose} ([0-9a-f]{16}) ([0-9a-f]{64})\\n$`)
const lineBytes = `\n${purpose} ${'0'.repeat(16)} ${'0'.repeat(64)}\n`.length
const chunkBytes = 1 << 20

interface Seal {
  /** The id of the secret key. */
  readonly keyId: string
  readonly mac: Buffer
  /** How many bytes the seal covers. */
  readonly covered: number
}

/** The result of comparing a file with its seal. */
export type SealCheck =
  | { readonly state: 'intact' | 'changed' | 'unknown_key'; readonly keyId: string }
  | { readonly state: 'missing' }

/** Appends the seal to a complete file. Nothing may be written to the file afterwards. */
export async function seal(file: string, secretKey: Uint8Array): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const mac = macOf(secretKey)
    for await (const chunk of chunksOf(handle, size)) mac.update(chunk)
    const line = `\n${purpose} ${keyIdOf(secretKey)} ${mac.digest('hex')}\n`
    await handle.write(line, size)
  } finally {
    await handle.close()
  }
}

/** Reads only the last line of a file; null if it is not a seal. */
async function sealOf(file: string): Promise<Seal | null> {
  const handle = await open(file)
  try {
    const covered = (await handle.stat()).size - lineBytes
    if (covered <= 0) return null
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(lineBytes), position: covered })
    const [, keyId, hex] = form.exec(buffer.toString('latin1', 0, bytesRead)) ?? []
    return keyId === undefined || hex === undefined ? null : { keyId, mac: Buffer.from(hex, 'hex'), covered }
  } finally {
    await handle.close()
  }
}

/**
 * Verifies the seal of a file.
 * @param keys the keys with which the file may have been sealed
 * @param copy an empty file, to which the verified bytes are written; it may be used only if the result is `intact`
 */
export async function checkSeal(file: string, keys: readonly Uint8Array[], copy?: string): Promise<SealCheck> {
  const found = await sealOf(file)
  if (found === null) return { state: 'missing' }
  const { keyId, covered } = found
  const secretKey = keys.find((key) => keyIdOf(key) === keyId)
  if (secretKey === undefined) return { state: 'unknown_key', keyId }
  const mac = macOf(secretKey)
  const [from, to] = [await open(file), copy === undefined ? null : await open(copy, 'w', 0o600)]
  try {
    for await (const chunk of chunksOf(from, covered)) {
      mac.update(chunk)
      await to?.writeFile(chunk)
    }
  } finally {
    await from.close()
    await to?.close()
  }
  return { state: timingSafeEqual(mac.digest(), found.mac) ? 'intact' : 'changed', keyId }
}

const macOf = (secretKey: Uint8Array) =>
  createHmac('sha256', new Uint8Array(hkdfSync('sha256', secretKey, new Uint8Array(), purpose, 32)))

/**
 * Reads a file up to `end` in chunks. They share their memory, so that each is valid only until the next one is read.
 */
async function* chunksOf(handle: FileHandle, end: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; position < end; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunkBytes, end - position), position)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
    position += bytesRead
  }
}
