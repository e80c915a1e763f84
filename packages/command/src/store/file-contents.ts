import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { FileContents } from '@sav/core/ports'
import type { FilePlace } from '../settings/file-place.js'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from './database.js'

/** The contents of the files in a place. The adapter is loaded at the first use. */
export function contentsOf(place: FilePlace): FileContents {
  let opened: Promise<FileContents> | undefined
  const open = () => {
    opened ??= openContents(place)
    return opened
  }
  return {
    put: async (account_id, file) => (await open()).put(account_id, file),
    get: async (account_id, sha256) => (await open()).get(account_id, sha256),
    remove: async (account_id, sha256) => (await open()).remove(account_id, sha256),
    async *list() {
      yield* (await open()).list()
    },
  }
}

async function openContents(place: FilePlace): Promise<FileContents> {
  if (place.kind === 'directory') {
    const { fileDirectory } = await import('@sav/storage-kysely/file-directory')
    return fileDirectory(place.path)
  }
  const { s3Files } = await import('@sav/files-s3')
  const { bucket, prefix, access } = place
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken } = access
  return s3Files({
    bucket,
    prefix,
    region,
    accessKeyId,
    secretAccessKey,
    ...(endpoint !== null && { endpoint }),
    ...(sessionToken !== null && { sessionToken }),
  })
}

/**
 * Creates the directory for files, unless the store already has a file outside the database: then a missing directory
 * means that its volume is not mounted. If the directory cannot be created, writing a file will fail with the reason.
 */
export async function makeFilesDirectory({ files }: Pick<Settings, 'files'>, { db }: StoreStorage): Promise<void> {
  if (files?.kind !== 'directory' || existsSync(files.path)) return
  const outside = await db
    .selectFrom('files')
    .select('sha256')
    .where(({ fn }) => fn('length', ['content']), '=', 0)
    .executeTakeFirst()
  if (outside === undefined) await mkdir(files.path, { recursive: true, mode: 0o700 }).catch(() => {})
}
