import { createSav, createWorker, specifiedDelivery } from '@sav/core'
import { createApi, createSender, listen, secureRandom, systemClock } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const runtime = { clock: systemClock, random: secureRandom }
const receivers = { allowLocal: true }
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const shared = { ...runtime, storage, secretKey: Buffer.from(SHOP_KEY, 'base64') } // openssl rand -base64 32

const sav = createSav({ ...shared, receivers, timeZone: 'Europe/Paris' })
const http = createSender({ ...receivers, userAgent: 'shop/1.0' })
const worker = createWorker({ ...shared, ...specifiedDelivery, http, observe: console.error })
const api = createApi({ ...runtime, sav, ready: storage.ping, onCall: console.error, log: console.error })
await sav.serving.start()
worker.start()
const listener = await listen(api, { host: '127.0.0.1', port: Number(PORT) })
process.once('SIGTERM', async () => {
  await Promise.all([listener.close(), worker.stop()])
  await Promise.all([sav.serving.stop(), http.close()]).then(storage.close)
})
console.log(`listening on ${listener.url}`)
