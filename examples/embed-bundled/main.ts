// A server in one file: `npm run build`, then `node dist/server.cjs`. better-sqlite3 must be installed beside it.
import { createApi, createSav, listen } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

async function main(): Promise<void> {
  const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
  const storage = await openSqlite(SHOP_DB)
  await storage.migrate()
  const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
  const { url } = await sav.start(() => listen(createApi({ sav }), { port: Number(PORT) }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => sav.close().then(storage.close))
  console.log(`listening on ${url}`)
}

// CommonJS has no top-level `await`.
main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
