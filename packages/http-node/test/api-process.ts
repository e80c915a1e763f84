import { once } from 'node:events'
import { openPostgres } from '../../../test/whole/opening.js'
import { listen } from '../src/node-server/listener.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { composeWith } from './composed.js'

// A process of its own that serves a PostgreSQL database: see api-processes.ts. It ends when its input does.

const [, , url = ''] = process.argv
const storage = await openPostgres(url)
const { sav, api } = composeWith({ storage, clock: systemClock, random: secureRandom })
await sav.serving.start()
const listener = await listen(api, { host: '127.0.0.1', port: 0 })
console.log(listener.url)

await once(process.stdin.resume(), 'end')
await listener.close()
await sav.serving.stop()
await storage.close()
