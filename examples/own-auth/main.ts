import { type AuthenticatedActor, createApi, createSav, listen } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })

// In production: the sessions of your own server.
const sessions = new Map<string, Pick<AuthenticatedActor, 'id' | 'nom' | 'permissions'>>([
  ['s-zoe', { id: 'zoe', nom: 'Zoé Martin', permissions: ['sav:read', 'sav:write', 'directory:write'] }],
  ['s-max', { id: 'max', nom: 'Max Petit', permissions: ['sav:read'] }],
])

const api = createApi({
  sav,
  // With cookies, `authenticate` must refuse calls from other sites, so it checks Origin.
  requireTimestamp: false,
  authenticate({ method, header }) {
    const origin = header('origin')
    if (method !== 'GET' && origin !== undefined && origin !== `http://${header('host')}`) return null
    const [, session = ''] = /(?:^|;\s*)session=([\w-]+)/.exec(header('cookie') ?? '') ?? []
    const user = sessions.get(session)
    return user === undefined ? null : { account_id: 'default', type: 'utilisateur', ...user }
  },
})
const { url } = await sav.start(() => listen(api, { port: Number(PORT) }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => sav.close().then(storage.close))
console.log(`listening on ${url}`)
