import { once } from 'node:events'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { listen } from '../src/node-server/listener.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { composeWith } from './composed.js'

// A process of its own that serves a store, a PostgreSQL database or a file: see api-processes.ts. It ends when its input does.

const [, , url = '', rateLimit = 'null'] = process.argv
const storage = url.startsWith('postgres:') ? await openPostgres(url) : await openSqlite(url)
const parts = { storage, clock: systemClock, random: secureRandom }
const { sav, api } = composeWith(parts, { rateLimit: JSON.parse(rateLimit) })
await sav.serving.start()
const listener = await listen(api, { host: '127.0.0.1', port: 0 })
console.log(listener.url)

await once(process.stdin.resume(), 'end')
await listener.close()
await sav.serving.stop()
await storage.close()
