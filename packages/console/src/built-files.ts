import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** A file as it is sent. */
export interface ServedFile {
  readonly mediaType: string
  readonly cache: string
  readonly tag: string
  /** @param acceptEncoding the header of the request; each content is compressed only once, at its first request */
  bodyFor(acceptEncoding: string): Promise<{ readonly coding: 'br' | 'gzip' | null; readonly content: Uint8Array }>
}

export interface BuiltFiles {
  /** The only HTML page. It is served at the address of every screen, and shows that screen. */
  readonly page: ServedFile
  /** By path relative to the page: `assets/index-….js`. */
  readonly files: ReadonlyMap<string, ServedFile>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Where the page, the API and the sign-in are. */
export type Places = Readonly<Record<'basePath' | 'apiBase' | 'signInUrl', string>>

/** @param pageCache the page's `Cache-Control`. Rejects if nothing was built. */
export async function readBuiltFiles(
  directory: string,
  { basePath, apiBase, signInUrl }: Places,
  pageCache: string,
): Promise<BuiltFiles> {
  const html = await readFile(join(directory, 'index.html'), 'utf8')
  const found = await readdir(directory, { withFileTypes: true })
  const beside = found.filter((entry) => entry.isFile() && entry.name !== 'index.html').map(({ name }) => name)
  const assets = await readdir(join(directory, 'assets'))
  const files = await Promise.all(
    [...beside, ...assets.map((name) => `assets/${name}`)].map(async (name) => {
      const content = await readFile(join(directory, name))
      const mediaType = mediaTypes[extname(name)] ?? 'application/octet-stream'
      // The name of an asset changes with its content.
      const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      return [name, served(content, mediaType, cache)] as const
    }),
  )
  const signIn = signInUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const page = Buffer.from(
    html
      .replace('<base href="/"', () => `<base href="${basePath}/"`)
      .replace('data-api=""', () => `data-api="${apiBase}"`)
      .replace('data-sign-in=""', () => `data-sign-in="${signIn}"`),
  )
  return { page: served(page, 'text/html; charset=utf-8', pageCache), files: new Map(files) }
}

const codings = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

function served(content: Uint8Array, mediaType: string, cache: string): ServedFile {
  const coded = new Map<string, Promise<Uint8Array>>()
  return {
    mediaType,
    cache,
    tag: `"${hash('sha256', content).slice(0, 16)}"`,
    async bodyFor(acceptEncoding) {
      const coding = codingFor(acceptEncoding)
      if (coding === null) return { coding, content }
      const working = coded.get(coding) ?? codings[coding](content)
      coded.set(coding, working)
      return { coding, content: await working }
    },
  }
}

/** The best coding that an Accept-Encoding header accepts, ignoring those with a weight of 0; null: none of ours. */
function codingFor(acceptEncoding: string): 'br' | 'gzip' | null {
  const accepts = (name: string) =>
    new RegExp(`(^|[\\s,])${name}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, 'i').test(acceptEncoding)
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}
