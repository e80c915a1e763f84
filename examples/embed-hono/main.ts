import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { createApi, createFetchHandler, createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { Hono } from 'hono'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

const app = new Hono()
const handle = createFetchHandler(createApi({ sav, basePath: '/sav' }))
// Keys that are bound to addresses need the caller's address.
app.all('/sav/*', (c) => handle(c.req.raw, { ip: getConnInfo(c).remote.address ?? '' }))
app.post('/panier', async (c) => c.json({ articles: await c.req.json() }))

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) })
await once(server, 'listening')
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => server.close(() => sav.close().then(storage.close)))

const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
const { key } = await sav.keys.create(actor, {
  nom: 'example',
  permissions: ['sav:read', 'sav:write', 'directory:write'],
})
const address = server.address()
const port = typeof address === 'object' ? address?.port : PORT
console.log(`listening on http://127.0.0.1:${port} with the key ${key}`)
