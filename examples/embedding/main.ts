import { createSav, specifiedDelivery } from '@sav/core'
import { createApi, createSender, listen, secureRandom, systemClock } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const runtime = { clock: systemClock, random: secureRandom }
const receivers = { allowLocal: true }

const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const http = createSender({ ...receivers, userAgent: 'shop/1.0' })
const sav = createSav({
  ...runtime,
  storage,
  secretKey: Buffer.from(SHOP_KEY, 'base64'), // openssl rand -base64 32
  timeZone: 'Europe/Paris',
  webhooks: { ...specifiedDelivery, http, receivers, channels: {}, observe: console.error },
})
sav.worker.start()

const ready = () => storage.ping()
const api = createApi({ ...runtime, sav, ready, onCall: console.error, log: console.error })
const { url } = await listen(api, { host: '127.0.0.1', port: Number(PORT) })
console.log(`listening on ${url}`)
