import type { FileContents } from '@sav/core/ports'
import type { FilePlace } from '../settings/file-place.js'

/** The contents that lie there; nothing of how is loaded before one is asked for. */
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
