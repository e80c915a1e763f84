import { once } from 'node:events'
import { createApi, createNodeHandler, createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import express from 'express'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

const app = express()
// Must come before any body parser, since the service reads bodies itself.
app.use('/sav', createNodeHandler(createApi({ sav })))
app.use(express.json())
app.post('/panier', (req, res) => {
  res.json({ articles: req.body })
})

const server = app.listen(Number(PORT), '127.0.0.1')
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
