import { createApi, createFetchHandler, createSav, type FetchHandler } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

/**
 * Opened by the first call, since a build also loads this file; once for each process, since development reloads it.
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

/** The first start creates a key, and shows it only this once. */
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
