import type { Route } from '../routes/declaration/route.js'

/** A path of the API with its operations. */
interface Resource<R> {
  readonly path: string
  readonly routes: ReadonlyMap<string, R>
  /** Value of an `Allow` header. */
  readonly allow: string
  /** Whether none of the path's operations needs a key. */
  readonly isPublic: boolean
}

interface Match<R> {
  readonly resource: Resource<R>
  /** The path's parameters in order, decoded. */
  readonly texts: readonly string[]
}

/** Finds the resource of a path; null for a path without a route, or with broken percent-encoding. */
export type FindResource<R> = (path: string) => Match<R> | null

/** A segment of a path, with the segments that may follow it. */
interface Segment<R> {
  readonly named: Map<string, Segment<R>>
  /** The segments after a parameter. */
  param: Segment<R> | null
  resource: Resource<R> | null
}

export function createRouter<R extends Pick<Route, 'path' | 'method' | 'permission'>>(
  routes: readonly R[],
): FindResource<R> {
  const root = newSegment<R>()
  for (const [path, itsRoutes] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map<string, R>(itsRoutes.map((route) => [route.method, route]))
    const get = byMethod.get('GET')
    if (get) byMethod.set('HEAD', get)
    const methods = ['OPTIONS', ...byMethod.keys()]
    const resource = {
      path,
      routes: byMethod,
      allow: methods.sort().join(', '),
      isPublic: itsRoutes.every(({ permission }) => permission === null),
    }
    for (const spelling of spellingsOf(path)) segmentAt(root, spelling).resource = resource
  }

  return (path) => {
    const texts: string[] = []
    let at = root
    for (const raw of path.split('/')) {
      const text = decode(raw)
      if (text === null) return null
      const named = at.named.get(text)
      if (named !== undefined) at = named
      else if (at.param !== null && text !== '') {
        texts.push(text)
        at = at.param
      } else return null
    }
    return at.resource && { resource: at.resource, texts }
  }
}

/**
 * The canonical form of equivalent addresses: the path of a route with its parameters encoded again.
 * @param texts the parameters in order, decoded
 */
export function canonicalPath(path: string, texts: readonly string[]): string {
  let index = 0
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(texts[index++] ?? ''))
}

/** The paths of an operation: a path without `/api` is also served with it, under the same name. */
export const spellingsOf = (path: string): string[] => (path.startsWith('/v1/') ? [path, `/api${path}`] : [path])

const newSegment = <R>(): Segment<R> => ({ named: new Map(), param: null, resource: null })

function segmentAt<R>(root: Segment<R>, path: string): Segment<R> {
  return path.split('/').reduce((at, text) => {
    const isParam = text.startsWith('{')
    const known = isParam ? at.param : at.named.get(text)
    if (known) return known
    const added = newSegment<R>()
    if (isParam) at.param = added
    else at.named.set(text, added)
    return added
  }, root)
}

function decode(text: string): string | null {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
