import { createApi, createFetchHandler, createSav, type FetchHandler } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

/** Opened by the first call, since a build loads this file as well; once for each process, since development reloads it. */
const opened = globalThis as { sav?: Promise<FetchHandler> }

async function open(): Promise<FetchHandler> {
  const { SHOP_DB = 'shop.db', SHOP_KEY = '' } = process.env
  const storage = await openSqlite(SHOP_DB)
  await storage.migrate()
  const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
  await sav.start()
  process.once('SIGTERM', () => sav.close().then(storage.close))
  return createFetchHandler(createApi({ sav, basePath: '/sav' }))
}

async function answer(request: Request): Promise<Response> {
  opened.sav ??= open()
  const handle = await opened.sav
  return handle(request)
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
