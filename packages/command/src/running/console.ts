import type { Console } from '@sav/console'
import type { Api, ApiRequest, ApiResponse } from '@sav/http-node'

const basePath = '/app'

/**
 * The API together with the console, and a redirect from `/` to the console. Loading the console takes 10 ms, so it is
 * loaded with the first page.
 */
export function withConsole(api: Api): Api {
  let pages: Promise<Console> | undefined
  const load = async () => (await import('@sav/console')).createConsole({ basePath })
  return async (request) => {
    const { target } = request
    // `/app/session/` is the sign-in, which the API answers.
    const isOwn = target.startsWith(basePath) && /^\/app($|[?/])(?!session\/)/.test(target)
    if (isOwn) {
      pages ??= load()
      return (await pages)(request)
    }
    return target === '/' && isBrowser(request) ? toConsole() : api(request)
  }
}

/** A function, because each call needs its own answer: the adapters for Node and fetch add headers to it. */
const toConsole = (): ApiResponse => ({
  status: 302,
  headers: ['Location', basePath, 'Cache-Control', 'no-store', 'Vary', 'Accept'],
  body: '',
})

const isBrowser = (request: ApiRequest) =>
  request.method === 'GET' && (request.header('accept')?.includes('text/html') ?? false)
