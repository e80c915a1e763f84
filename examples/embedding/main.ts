import { createApi, createSav, listen } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db', SHOP_KEY = '', PORT = '3000' } = process.env
const storage = await openSqlite(SHOP_DB)
await storage.migrate()

const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
sav.on('shop', ['sav.closed'], ({ data }) => console.log(`${data.reference} is closed`))
const { url } = await sav.start(() => listen(createApi({ sav }), { port: Number(PORT) }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => sav.close().then(storage.close))

// The first start makes a client and a key, and prints the key, which cannot be read later.
const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'shop' } as const
if ((await sav.keys.list('default')).length === 0) {
  const { id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Hélène' })
  const { key } = await sav.keys.create(actor, {
    nom: 'site',
    permissions: ['sav:read', 'sav:write', 'directory:write'],
  })
  console.log(`curl -i ${url}/api/v1/sav -H 'Authorization: Bearer ${key}' -H "X-Request-Timestamp: $(date +%s)" \
-H 'Content-Type: application/json' -d '{"client_id":${id},"description":"La porte du four ne ferme plus."}'`)
}
console.log(`listening on ${url}`)
