import { createApi, createNodeHandler, createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { fastify } from 'fastify'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

const app = fastify()
const handler = createNodeHandler(createApi({ sav, basePath: '/sav' }))
await app.register(async (scope) => {
  // The service reads bodies itself, so none of Fastify's parsers may run before it.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.all('/sav/*', (request, reply) => {
    reply.hijack()
    handler(request.raw, reply.raw)
  })
})
app.post('/panier', async (request) => ({ articles: request.body }))
app.addHook('onClose', () => sav.close().then(storage.close))

const url = await app.listen({ host: '127.0.0.1', port: Number(PORT) })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())

const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
const { key } = await sav.keys.create(actor, {
  nom: 'example',
  permissions: ['sav:read', 'sav:write', 'directory:write'],
})
console.log(`listening on ${url} with the key ${key}`)
