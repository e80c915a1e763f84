import { createServer } from 'node:http'
import { listen } from '#listen'

export interface BareCase {
  readonly client_id: number
  readonly description: string
  readonly type_probleme: string
  readonly priorite: string
  readonly date_creation: string
}

export type Answer = (id: number) => void

/** A bare `node:http` server that does not check creations; `insert` gives each case its id. */
export async function bareCreations(insert: (row: BareCase, answer: Answer) => void): Promise<{ port: number }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const row = { ...JSON.parse(Buffer.concat(chunks).toString()), date_creation: new Date().toISOString() }
      insert(row, (id) => {
        const text = JSON.stringify({
          success: true,
          data: { id, reference: `SAV-2026-${String(id).padStart(5, '0')}` },
        })
        response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
        response.end(text)
      })
    })
  })
  return listen(server)
}
