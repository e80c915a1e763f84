import { randomBytes } from 'node:crypto'
import { chmod, chown, link, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { keyIdOf } from '@sav/core/adapter'
import { settingBytes } from '../process/bounded-file.js'
import { CommandError } from '../process/command-error.js'
import { parseSecretKey } from '../settings/setting-values.js'
import type { Settings } from '../settings/settings.js'

/**
 * Reads the keys of the settings, newest first. The first one seals; the others open texts that were sealed earlier.
 * Empty if the file does not exist.
 * @throws CommandError if the file contains anything but keys
 */
export async function readSecretKeys({ secretKey, secretKeyFile }: Settings): Promise<readonly Uint8Array[]> {
  if (secretKey !== null) return [secretKey]
  try {
    return keysIn(secretKeyFile)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/**
 * Returns a function that finds a key by its id. For an unknown id, it reads the key file again: another process may
 * have rotated the keys, and this process need not restart.
 */
export function secretKeyFinder({ secretKey, secretKeyFile }: Settings): (keyId: string) => Uint8Array | undefined {
  const known = new Map<string, Uint8Array>()
  return (keyId) => {
    if (!known.has(keyId) && secretKey === null) {
      for (const key of keysIn(secretKeyFile)) known.set(keyIdOf(key), key)
    }
    return known.get(keyId)
  }
}

function keysIn(file: string): Uint8Array[] {
  const refusal = (problem: string) =>
    new CommandError('bad_secret_key', `${file} ${problem}: restore it from your backup.`)
  let text: string
  try {
    text = settingBytes(file).toString()
  } catch (error) {
    throw error instanceof CommandError ? refusal('is longer than a file of keys') : error
  }
  return text
    .trim()
    .split(/\s+/)
    .map((line) => {
      const key = parseSecretKey(line)
      if (key !== undefined) return key
      throw refusal('does not hold 32 bytes in base64 on each line')
    })
}

export const newSecretKey = (): Uint8Array => randomBytes(32)

/**
 * Creates the key file, readable only by its owner. It appears with its whole content or not at all. An existing file,
 * for example one that another process has just created, is never replaced: then this resolves to false.
 */
export async function makeSecretKey(file: string): Promise<boolean> {
  const draft = await draftOf(file, [newSecretKey()])
  const made = await link(draft, file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  await rm(draft)
  await syncDirectory(file)
  return made
}

/**
 * Replaces the key file, with the same owner and mode. A reader finds either all old keys or all new ones, even after a
 * power cut.
 * @throws CommandError if this user may not give the new file to that owner
 */
export async function replaceSecretKeys(file: string, keys: readonly Uint8Array[]): Promise<void> {
  // If the path is a symbolic link, its target is replaced.
  const path = await realpath(file)
  const draft = await draftOf(path, keys)
  try {
    await giveTo(draft, path)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncDirectory(path)
}

/** Sets the file's owner, group and mode to those of `model`. */
async function giveTo(file: string, model: string): Promise<void> {
  const { uid, gid, mode } = await stat(model)
  const own = await stat(file)
  if (own.uid !== uid || own.gid !== gid)
    await chown(file, uid, gid).catch((error: unknown) => {
      throw new CommandError(
        'not_allowed',
        `${model} belongs to another user (${uid}:${gid}): run this as that user.`,
        { cause: error },
      )
    })
  await chmod(file, mode & 0o777)
}

/**
 * Creates a new key file that belongs to the owner of `store`. An old key file is renamed and kept beside it. Resolves
 * to the old file's new path; null if there was none.
 */
export async function startSecretKeys(file: string, { key, store }: { key: Uint8Array; store: string | null }) {
  const draft = await draftOf(file, [key])
  if (store !== null) {
    const { uid, gid } = await stat(store)
    await chown(draft, uid, gid).catch(() => {})
  }
  const aside = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const before = await rename(file, aside).then(
    () => aside,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return null
    },
  )
  await rename(draft, file)
  await syncDirectory(file)
  return before
}

async function draftOf(file: string, keys: readonly Uint8Array[]): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}

async function syncDirectory(file: string): Promise<void> {
  const directory = await open(dirname(file))
  await directory.sync().finally(() => directory.close())
}
