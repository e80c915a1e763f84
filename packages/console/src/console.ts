import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BuiltFiles, type Places, readBuiltFiles, type ServedFile } from './built-files.js'

/** Where the console is reached, and where its pages lie. */
export interface ConsoleOptions {
  /** Where the console is mounted, without a slash at its end; `/app` by default. The API answers on the same origin. */
  readonly basePath?: string
  /** Where the API is mounted on this origin, without a slash at its end: `/sav-api`. By default at its root. */
  readonly apiBase?: string
  /** Where people sign in whom the API's `authenticate` knows: a path or a URL. By default they sign in on the console's own pages. */
  readonly signInUrl?: string
  /** The folder of the built pages: those of this package unless said. */
  readonly directory?: string
}

/** What the console looks at in a request: an `ApiRequest` of @sav/http-node is one. */
export interface ConsoleRequest {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** By lowercase name. */
  header(name: string): string | undefined
}

/** An `ApiResponse` of @sav/http-node. */
export interface ConsoleResponse {
  readonly status: number
  /** Name, value, name, value … */
  readonly headers: string[]
  readonly body: string | Uint8Array
}

/** Gives out the pages. Answers every request, with 404 beside its own addresses, and rejects none. */
export type Console = (request: ConsoleRequest) => Promise<ConsoleResponse>

/**
 * What the pages may do: run and show what is our own, and talk to the API of their origin. Photos are previewed from
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
 * The console as a door's handler, for `listen`, `createFetchHandler` or a router of the caller's own. Its files are read
 * once, with the first request.
 * @throws RangeError for a `basePath` or an `apiBase` that is no path
 */
export function createConsole({ directory = ownPages(), ...options }: ConsoleOptions = {}): Console {
  const { basePath = '/app', apiBase = '', signInUrl = '' } = options
  for (const [name, path] of Object.entries({ basePath, apiBase })) {
    if (!/^(\/[\w.~-]+)*$/.test(path))
      throw new RangeError(`${name} ${JSON.stringify(path)}: must be a path such as /app, without a slash at its end`)
  }
  const office = readOnce(directory, { basePath, apiBase, signInUrl }, 'no-cache')
  // Safari keeps a page that is left, with what it was reading: the next one would wait for that for good.
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
    if (found === null) return plain(503, 'The console is not built: npm run build builds it.')
    if (found === undefined) return plain(404, 'Not found')
    const answer = await represented(found, request)
    // The worker of the field's app keeps that app alone, at its own address as well.
    const scope = ofField === 'sw.js' ? ['Service-Worker-Allowed', `${basePath}/terrain`] : []
    return { ...answer, headers: [...answer.headers, ...scope], ...(method === 'HEAD' && { body: '' }) }
  }
}

type PageFile = ServedFile | null | undefined

/** What a page answers at a path below it: the page itself where no file is meant; null if nothing was built. */
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

/** What follows the base path, without its slash; null for what lies elsewhere. */
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
