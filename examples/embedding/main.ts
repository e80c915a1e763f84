import { createApi, createSav, listen } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()

const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') }) // openssl rand -base64 32
sav.on('shop', ['sav.closed'], ({ data }) => console.log(`${data.reference} is closed`))
const { url } = await sav.start(() => listen(createApi({ sav }), { port: Number(PORT) }))
process.once('SIGTERM', () => sav.close().then(storage.close))
console.log(`listening on ${url}`)
