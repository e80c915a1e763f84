import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface GraphCall {
  readonly path: string
  readonly authorization: string | undefined
  /** The parsed JSON of a message; null for an upload, whose fields are in `form`. */
  readonly body: unknown
  readonly form: FormData | null
}

export type GraphAnswer = (response: ServerResponse, call: GraphCall) => void

export interface GraphApi {
  readonly url: string
  readonly calls: GraphCall[]
  /** Sets the answer to all further calls whose address ends with `path`. */
  on(path: 'media' | 'messages', answer: GraphAnswer): void
  close(): Promise<void>
}

export const json =
  (status: number, body: unknown): GraphAnswer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }

/** An error in the form that Meta documents. */
export const graphError = (status: number, code: number, message = 'it went wrong'): GraphAnswer =>
  json(status, {
    error: {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details: message },
      fbtrace_id: 'Az8or2yhqkZfEZ',
    },
  })

/** A server on a free port that answers as Meta documents for the Cloud API. */
export async function graphApi(): Promise<GraphApi> {
  const calls: GraphCall[] = []
  const answers = new Map<string, GraphAnswer>([
    ['media', json(200, { id: '1037543291543636' })],
    [
      'messages',
      json(200, {
        messaging_product: 'whatsapp',
        contacts: [{ input: '+33612345678', wa_id: '33612345678' }],
        messages: [{ id: 'wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA', message_status: 'accepted' }],
      }),
    ],
  ])
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    try {
      const call = await read(request)
      calls.push(call)
      answers.get(call.path.split('/').at(-1) ?? '')?.(response, call)
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return {
    url: `http://127.0.0.1:${address.port}/v26.0`,
    calls,
    on: (path, answer) => answers.set(path, answer),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<GraphCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  const multipart = type.startsWith('multipart/')
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: multipart ? null : JSON.parse(bytes.toString()),
    form: multipart ? await new Response(bytes, { headers: { 'Content-Type': type } }).formData() : null,
  }
}
