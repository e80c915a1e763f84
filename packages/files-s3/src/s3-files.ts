import type { FileContents } from '@sav/core/ports'
import { S3RefusedError, type S3ServerOptions, s3Server } from './s3-server.js'
import { type Answer, parseAnswer } from './xml.js'

/** A bucket, and the prefix of our keys in it. */
export interface S3FilesOptions extends S3ServerOptions {
  /** The prefix of every key, such as `sav/`. Each store needs its own. Default: none. */
  readonly prefix?: string
}

const account = '[a-z0-9][a-z0-9_-]{0,62}'
const names = new RegExp(`^(${account})/[0-9a-f]{2}/([0-9a-f]{64})$`)

/**
 * Contents of files in a bucket of an S3 server, by account and SHA-256, for `withOutsideFiles`. A file is removed with
 * all its versions.
 * @throws RangeError for a bucket or prefix that cannot be part of a path
 */
export function s3Files({ prefix = '', ...options }: S3FilesOptions): FileContents {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(options.bucket))
    throw new RangeError(`${options.bucket} cannot be the name of a bucket.`)
  if (!/^([\w-][\w.-]*\/)*$/.test(prefix))
    throw new RangeError(`${prefix} cannot be a prefix: each folder name must end with a slash.`)
  const server = s3Server(options)

  function keyOf(account_id: string, sha256: string): string {
    const name = `${account_id}/${sha256.slice(0, 2)}/${sha256}`
    if (!names.test(name)) throw new Error(`${account_id}/${sha256} cannot name a file.`)
    return `${prefix}${name}`
  }

  /** Pages of a list, each of which gives the parameters of the next one. */
  async function* pages(query: Record<string, string>, next: (page: Answer) => Record<string, string>) {
    let more: Record<string, string> | null = {}
    while (more !== null) {
      const page = parseAnswer((await server.ask({ query: { ...query, ...more } })).toString())
      yield page
      more = page.text('IsTruncated') === 'true' ? next(page) : null
    }
  }

  /** The ids of the versions of a file. In a bucket without versions, each file has one. */
  async function versionsOf(key: string): Promise<string[]> {
    const versions: string[] = []
    const next = (page: Answer) => ({
      'key-marker': page.text('NextKeyMarker'),
      'version-id-marker': page.text('NextVersionIdMarker'),
    })
    for await (const page of pages({ versions: '', prefix: key }, next))
      for (const version of page.all('Version', 'DeleteMarker'))
        if (version.text('Key') === key) versions.push(version.text('VersionId'))
    return versions
  }

  return {
    async put(account_id, { sha256, media_type, content }) {
      // The server compares the received content with this hash, which is signed.
      const headers = { 'content-type': media_type, 'x-amz-content-sha256': sha256 }
      await server.ask({ method: 'PUT', key: keyOf(account_id, sha256), headers, body: content.slice() })
    },

    async get(account_id, sha256) {
      return server.ask({ key: keyOf(account_id, sha256) }).catch((error: unknown) => {
        if (error instanceof S3RefusedError && error.code === 'NoSuchKey') return null
        throw error
      })
    },

    async remove(account_id, sha256) {
      const key = keyOf(account_id, sha256)
      for (const versionId of await versionsOf(key)) await server.ask({ method: 'DELETE', key, query: { versionId } })
    },

    async *list(account_id) {
      const start = account_id === undefined ? prefix : `${prefix}${account_id}/`
      const next = (page: Answer) => ({ 'continuation-token': page.text('NextContinuationToken') })
      for await (const page of pages({ 'list-type': '2', prefix: start }, next))
        for (const content of page.all('Contents')) {
          const [, found, sha256] = names.exec(content.text('Key').slice(prefix.length)) ?? []
          if (found !== undefined && sha256 !== undefined) yield { account_id: found, sha256 }
        }
    },
  }
}
