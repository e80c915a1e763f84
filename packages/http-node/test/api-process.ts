import { once } from 'node:events'
import type { Storage } from '@sav/core/ports'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { listen } from '../src/node-server/listener.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { composeWith } from './composed.js'

// A process of its own that serves a store, a PostgreSQL database or a file: see api-processes.ts. It ends when its input does.

const [, , url = '', rateLimit = 'null'] = process.argv
const opened = url.startsWith('postgres:') ? await openPostgres(url) : await openSqlite(url)

/** How many other processes this one has heard of. */
let others = 0
const storage: Storage = {
  ...opened,
  async transaction(work) {
    let heard = others
    const done = await opened.transaction((tx) => {
      const { processes } = tx
      return work({
        ...tx,
        processes: {
          now: (own) => processes.now(own),
          async noteAlive(own, since) {
            heard = await processes.noteAlive(own, since)
            return heard
          },
        },
      })
    })
    if (heard !== others) console.log(heard)
    others = heard
    return done
  },
}

const { sav, api } = composeWith(
  { storage, clock: systemClock, random: secureRandom },
  { rateLimit: JSON.parse(rateLimit) },
)
await sav.serving.start()
const listener = await listen(api, { host: '127.0.0.1', port: 0 })
console.log(listener.url)

await once(process.stdin.resume(), 'end')
await listener.close()
await sav.serving.stop()
await storage.close()
