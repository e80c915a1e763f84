import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { createApi, createNodeHandler, createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

// Without a compiler for decorators: the same as `@Module({}) class ShopModule {}`.
class ShopModule {
  onApplicationShutdown() {
    return sav.close().then(storage.close)
  }
}
Module({})(ShopModule)

const app = await NestFactory.create<NestExpressApplication>(ShopModule, { bodyParser: false, logger: ['error'] })
// The service reads bodies itself, so it comes before the body parsers of your own controllers.
app.use('/sav', createNodeHandler(createApi({ sav })))
app.useBodyParser('json')
app.enableShutdownHooks()
await app.listen(Number(PORT), '127.0.0.1')

const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
const { key } = await sav.keys.create(actor, {
  nom: 'example',
  permissions: ['sav:read', 'sav:write', 'directory:write'],
})
console.log(`listening on ${await app.getUrl()} with the key ${key}`)
