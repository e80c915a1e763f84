import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BuiltFiles, type Places, readBuiltFiles, type ServedFile } from './built-files.js'

/** Where the console is mounted, and where its files are. */
export interface ConsoleOptions {
  /** Where the console is mounted, without a trailing slash. Default: `/app`. The API must be on the same origin. */
  readonly basePath?: string
  /** Where the API is mounted on this origin, without a trailing slash: `/sav-api`. Default: the root. */
  readonly apiBase?: string
  /** The sign-in page for users of the API's `authenticate`: a path or a URL. Default: the console's own pages. */
  readonly signInUrl?: string
  /** The folder of the built pages. Default: those of this package. */
  readonly directory?: string
}

/** What the console needs of a request: an `ApiRequest` of @sav/http-node is enough. */
export interface ConsoleRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** The value of a header, by its lowercase name. */
  header(name: string): string | undefined
}

/** An `ApiResponse` of @sav/http-node. */
export interface ConsoleResponse {
  readonly status: number
  /** Name, value, name, value … */
  readonly headers: string[]
  readonly body: string | Uint8Array
}

/** Serves the pages. Answers every request, with 404 outside its own addresses, and never rejects. */
export type Console = (request: ConsoleRequest) => Promise<ConsoleResponse>

/**
 * What the pages may do: run and show our own files, and call the API of their origin. Photos are previewed from
 * `blob:` before they are sent.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ')

const guards = [
  'Content-Security-Policy',
  policy,
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(self), geolocation=(), microphone=()',
]

/**
 * The console as a handler, for `listen`, `createFetchHandler` or your own router. Its files are read once, with the
 * first request.
 * @throws RangeError for a `basePath` or an `apiBase` that is not a path
 */
export function createConsole({ directory = ownPages(), ...options }: ConsoleOptions = {}): Console {
  const { basePath = '/app', apiBase = '', signInUrl = '' } = options
  for (const [name, path] of Object.entries({ basePath, apiBase })) {
    if (!/^(\/[\w.~-]+)*$/.test(path))
      throw new RangeError(`${name} ${JSON.stringify(path)}: must be a path such as /app, without a slash at its end`)
  }
  const office = readOnce(directory, { basePath, apiBase, signInUrl }, 'no-cache')
  // Safari caches a page after the user leaves it, with its unfinished requests. The next page would wait forever for
  // those requests to end. `no-store` prevents this.
  const field = readOnce(
    join(directory, 'terrain'),
    { basePath: `${basePath}/terrain`, apiBase, signInUrl },
    'no-store',
  )

  return async (request) => {
    const { method } = request
    const path = pathBelow(basePath, request.target)
    if (path === null) return plain(404, 'Not found')
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Method not allowed', ['Allow', 'GET, HEAD'])
    const ofField = pathBelow('terrain', path)
    const found = await (ofField === null ? office(path) : field(ofField))
    if (found === null) return plain(503, 'The console is not built. Build it with npm run build.')
    if (found === undefined) return plain(404, 'Not found')
    const answer = await represented(found, request)
    // Limits the service worker to the installers' app, and lets it also control the app's address without a trailing
    // slash, `/terrain`, which the default scope would leave out.
    const scope = ofField === 'sw.js' ? ['Service-Worker-Allowed', `${basePath}/terrain`] : []
    return { ...answer, headers: [...answer.headers, ...scope], ...(method === 'HEAD' && { body: '' }) }
  }
}

type PageFile = ServedFile | null | undefined

/**
 * Finds the file at a path below a page. For any other path, finds the page itself, because the path may be the address
 * of a screen. Undefined: an asset that does not exist; null: nothing was built.
 */
function readOnce(directory: string, at: Places, pageCache: string): (path: string) => Promise<PageFile> {
  let reading: Promise<BuiltFiles> | undefined
  return async (path) => {
    reading ??= readBuiltFiles(directory, at, pageCache)
    return reading.then(
      ({ page, files }) => files.get(path) ?? (path.startsWith('assets/') ? undefined : page),
      () => null,
    )
  }
}

const ownPages = () => join(dirname(createRequire(import.meta.url).resolve('@sav/console/package.json')), 'dist/app')

/** The part after the base path, without its slash; null for any other path. */
function pathBelow(basePath: string, target: string): string | null {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
  if (path === basePath) return ''
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1) : null
}

async function represented(file: ServedFile, request: ConsoleRequest): Promise<ConsoleResponse> {
  const common = [...guards, 'Content-Type', file.mediaType, 'Cache-Control', file.cache, 'ETag', file.tag]
  if (request.header('if-none-match')?.includes(file.tag)) return { status: 304, headers: common, body: '' }
  const body = await file.bodyFor(request.header('accept-encoding') ?? '')
  const coding = body.coding === null ? [] : ['Content-Encoding', body.coding]
  const length = ['Content-Length', String(body.content.length)]
  return { status: 200, headers: [...common, 'Vary', 'Accept-Encoding', ...coding, ...length], body: body.content }
}

const plain = (status: number, text: string, more: readonly string[] = []): ConsoleResponse => ({
  status,
  headers: [...guards, 'Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store', ...more],
  body: `${text}\n`,
})
