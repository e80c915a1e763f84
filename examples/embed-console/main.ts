import { once } from 'node:events'
import { createConsole } from '@sav/console'
import { type AuthenticatedActor, createApi, createNodeHandler, createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import express from 'express'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

// In production: the sessions of your own server.
const sessions = new Map<string, Pick<AuthenticatedActor, 'id' | 'nom' | 'permissions'>>([
  ['s-zoe', { id: 'zoe', nom: 'Zoé Martin', permissions: 'all' }],
])

const api = createApi({
  sav,
  requireTimestamp: false,
  authenticate({ method, header }) {
    const origin = header('origin')
    if (method !== 'GET' && origin !== undefined && origin !== `http://${header('host')}`) return null
    const [, session = ''] = /(?:^|;\s*)session=([\w-]+)/.exec(header('cookie') ?? '') ?? []
    const user = sessions.get(session)
    return user === undefined ? null : { account_id: 'default', type: 'utilisateur', ...user }
  },
})

const app = express()
app.use('/sav-api', createNodeHandler(api))
app.use('/sav', createNodeHandler(createConsole({ basePath: '/sav', apiBase: '/sav-api', signInUrl: '/entree' })))
app.get('/entree', (_, res) => {
  res.send('<form method="post"><button>Zoé Martin</button></form>')
})
app.post('/entree', (_, res) => {
  res.cookie('session', 's-zoe', { httpOnly: true, sameSite: 'strict' }).redirect('/sav')
})

const server = app.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    // The console keeps an event stream open, so all connections are closed.
    server.close(() => sav.close().then(storage.close))
    server.closeAllConnections()
  })
const address = server.address()
console.log(`the console is at http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/sav`)
