import { resolve } from 'node:path'

/** The configured place of files: a directory, or a bucket of an S3 server. */
export type WrittenFilePlace =
  | { readonly kind: 'directory'; readonly path: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      /** The prefix of the files' keys: empty, or ending in a slash. */
      readonly prefix: string
    }

/** The access to an S3 server. */
export interface S3Access {
  /** The URL of the server; null for Amazon's. */
  readonly endpoint: string | null
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The session token of a temporary key; null if the key is not temporary. */
  readonly sessionToken: string | null
}

/** A place for files, ready to be opened. A path is absolute, a bucket has its access. `name` is for messages. */
export type FilePlace = { readonly name: string } & (
  | Extract<WrittenFilePlace, { kind: 'directory' }>
  | (Extract<WrittenFilePlace, { kind: 's3' }> & { readonly access: S3Access })
)

/** The place that a text describes: a path, or `s3://BUCKET/PREFIX`. Undefined for any other address. */
export function parseFilePlace(text: string): WrittenFilePlace | undefined {
  if (!text.includes('://')) return { kind: 'directory', path: text }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (bucket === undefined) return undefined
  const folder = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  if (prefix !== '' && !folder.split('/').every((name) => /^[\w-][\w.-]*$/.test(name))) return undefined
  return { kind: 's3', bucket, prefix: prefix === '' ? '' : `${folder}/` }
}

/**
 * The configured place, ready to be opened.
 * @param access null if no keys are set; a bucket then cannot be reached
 */
export function locateFiles(
  written: WrittenFilePlace,
  { cwd, access }: { readonly cwd: string; readonly access: S3Access | null },
): FilePlace | null {
  if (written.kind === 'directory') {
    const path = resolve(cwd, written.path)
    return { kind: 'directory', path, name: path }
  }
  return access && { ...written, access, name: `s3://${written.bucket}/${written.prefix}` }
}
