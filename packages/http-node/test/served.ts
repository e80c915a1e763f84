import { createInterface } from 'node:readline'
import { peakMemory } from '../../../test/peak-memory.mjs'
import { openSqlite } from '../../../test/whole/opening.js'
import { permissions } from '../../../test/whole/permissions.js'
import { listen } from '../src/node-server/listener.js'
import { as, composeApi } from './composed.js'
import type { Insider } from './malformed.js'

// A process of its own that serves a database file: see served-process.ts. It ends when its input does.

const [, , file = '', limits = '{}'] = process.argv
const storage = await openSqlite(file)
await storage.migrate()
const { sav, api, clock, calls, failures } = composeApi(storage)
await sav.accounts.add(as('default'), 'default')
const { id: client_id } = await sav.directory.clients.add(as('default'), { nom: 'Durand', prenom: 'Alice' })
const { key } = await sav.keys.create(as('default'), { nom: 'test', permissions: [...permissions] })
const body = { client_id, description: 'Une porte ne ferme plus.' }
await sav.cases.create(as('default'), body)
const listener = await listen(api, { host: '127.0.0.1', port: 0, limits: JSON.parse(limits) })

const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'x-request-timestamp': String(Math.floor(clock.now() / 1000)),
}
const insider: Insider = { headers, body }
console.log(JSON.stringify({ url: listener.url, insider }))

for await (const _ of createInterface(process.stdin)) {
  calls.length = 0
  // Twice: the second collection returns to the system the memory that the first has freed.
  globalThis.gc?.()
  globalThis.gc?.()
  const errors = failures.map(({ error }) => String(error))
  const peakBytes = peakMemory() * 1024
  console.log(JSON.stringify({ residentBytes: process.memoryUsage().rss, peakBytes, errors }))
}
await listener.close()
await storage.close()
