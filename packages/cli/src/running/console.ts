import { createConsole } from '@sav/console'
import type { Api, ApiRequest, ApiResponse } from '@sav/http-node'

const basePath = '/app'

/** The API with the console beside it, and a browser that asks for nothing in particular led there. */
export function withConsole(api: Api): Api {
  const pages = createConsole({ basePath })
  return (request) => {
    const { target } = request
    // What people sign in by is the API's.
    const isOwn = target.startsWith(basePath) && /^\/app($|[?/])(?!session\/)/.test(target)
    if (isOwn) return pages(request)
    return target === '/' && isBrowser(request) ? Promise.resolve(toConsole()) : api(request)
  }
}

/** A new one for each call: Node's and the fetch adapter add headers to it. */
const toConsole = (): ApiResponse => ({
  status: 302,
  headers: ['Location', basePath, 'Cache-Control', 'no-store', 'Vary', 'Accept'],
  body: '',
})

const isBrowser = (request: ApiRequest) =>
  request.method === 'GET' && (request.header('accept')?.includes('text/html') ?? false)
