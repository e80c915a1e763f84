import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from './command-error.js'
import { parseSecretKey, type Settings } from './settings.js'

/** The key that the settings name, or null where its file does not exist. @throws CommandError when it is no key */
export async function readSecretKey({ secretKey, secretKeyFile }: Settings): Promise<Uint8Array | null> {
  if (secretKey !== null) return secretKey
  const text = await readFile(secretKeyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const key = parseSecretKey(text.trim())
  if (key === undefined)
    throw new CommandError(
      'bad_secret_key',
      `${secretKeyFile} does not hold 32 bytes in base64: restore it from your backup.`,
    )
  return key
}

/**
 * Makes the key file, readable by its owner alone. It appears whole or not at all, and one that is there already, such
 * as another process's of the same moment, is never replaced: then this resolves to false.
 */
export async function makeSecretKey(file: string): Promise<boolean> {
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const made = await link(draft, file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  await rm(draft)
  const directory = await open(dirname(file))
  await directory.sync().finally(() => directory.close())
  return made
}
