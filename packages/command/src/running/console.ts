import type { Console } from '@sav/console'
import type { Api, ApiRequest, ApiResponse } from '@sav/http-node'

const basePath = '/app'

/**
 * The API with the console beside it, and a redirect from `/`. The console is loaded with the first page, since it
 * takes 10 ms.
 */
export function withConsole(api: Api): Api {
  let pages: Promise<Console> | undefined
  const load = async () => (await import('@sav/console')).createConsole({ basePath })
  return async (request) => {
    const { target } = request
    // The sign-in belongs to the API.
    const isOwn = target.startsWith(basePath) && /^\/app($|[?/])(?!session\/)/.test(target)
    if (isOwn) {
      pages ??= load()
      return (await pages)(request)
    }
    return target === '/' && isBrowser(request) ? toConsole() : api(request)
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
