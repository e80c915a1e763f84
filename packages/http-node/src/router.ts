import type { Route } from './routes/route.js'

/** A path of the API with its operations. */
interface Resource {
  readonly path: string
  readonly routes: ReadonlyMap<string, Route>
  /** Value of an `Allow` header. */
  readonly allow: string
  /** Whether it needs no key, whatever the method. */
  readonly isPublic: boolean
}

interface Match {
  readonly resource: Resource
  /** What stands in the path's places, decoded. */
  readonly texts: readonly string[]
}

/** Null for a path that no route has, and for one whose percent-encoding is broken. */
export type FindResource = (path: string) => Match | null

interface Place {
  readonly named: Map<string, Place>
  any: Place | null
  resource: Resource | null
}

export function createRouter(routes: readonly Route[]): FindResource {
  const root = newPlace()
  for (const [path, itsRoutes] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map<string, Route>(itsRoutes.map((route) => [route.method, route]))
    const get = byMethod.get('GET')
    if (get) byMethod.set('HEAD', get)
    const methods = ['OPTIONS', ...byMethod.keys()]
    placeAt(root, path).resource = {
      path,
      routes: byMethod,
      allow: methods.sort().join(', '),
      isPublic: itsRoutes.every(({ permission }) => permission === null),
    }
  }

  return (path) => {
    const texts: string[] = []
    let place = root
    for (const raw of path.split('/')) {
      const segment = decode(raw)
      if (segment === null) return null
      const named = place.named.get(segment)
      if (named !== undefined) place = named
      else if (place.any !== null && segment !== '') {
        texts.push(segment)
        place = place.any
      } else return null
    }
    return place.resource && { resource: place.resource, texts }
  }
}

const newPlace = (): Place => ({ named: new Map(), any: null, resource: null })

function placeAt(root: Place, path: string): Place {
  return path.split('/').reduce((place, segment) => {
    const known = segment.startsWith('{') ? place.any : place.named.get(segment)
    if (known) return known
    const added = newPlace()
    if (segment.startsWith('{')) place.any = added
    else place.named.set(segment, added)
    return added
  }, root)
}

function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
