import { createApi, createFetchHandler, createSav, type FetchHandler } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

/**
 * The service is opened by the first call, since a build also loads this file. It is kept in `globalThis`, since
 * development reloads this file in the same process.
 */
const opened = globalThis as { sav?: Promise<FetchHandler> }

async function open(): Promise<FetchHandler> {
  const { SHOP_DB = 'shop.db', SHOP_KEY = '' } = process.env
  const storage = await openSqlite(SHOP_DB)
  await storage.migrate()
  const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
  await sav.start()
  await firstKey(sav)
  process.once('SIGTERM', () => sav.close().then(storage.close))
  return createFetchHandler(createApi({ sav, basePath: '/sav' }))
}

/** Creates a key at the first start, and prints it, since it cannot be read later. */
async function firstKey(sav: ReturnType<typeof createSav>): Promise<void> {
  if ((await sav.keys.list('default')).length > 0) return
  const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
  const { key } = await sav.keys.create(actor, {
    nom: 'example',
    permissions: ['sav:read', 'sav:write', 'directory:write'],
  })
  console.log(`/sav answers with the key ${key}`)
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
