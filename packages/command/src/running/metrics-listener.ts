import { once } from 'node:events'
import { createServer } from 'node:http'
import { addressProblem } from '../process/address-problem.js'
import type { Metrics } from './metrics.js'

interface Listener {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves `GET /metrics` on a separate listener. The API's listener could not recognise a scraper by its address,
 * because behind a proxy every caller looks local.
 * @throws CommandError if the address cannot be listened on
 */
export async function listenForScrapes(
  scrape: () => ReturnType<Metrics['scrape']>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> {
  const server = createServer(async ({ method, url }, response) => {
    if (url?.replace(/\?.*/, '') !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    const { text, mediaType } = await scrape()
    response.writeHead(200, { 'content-type': mediaType }).end(method === 'HEAD' ? '' : text)
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    throw addressProblem(error, { host, port, setting: 'SAV_METRICS' })
  })
  const address = server.address()
  const boundPort = typeof address === 'object' ? address?.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}/metrics`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
