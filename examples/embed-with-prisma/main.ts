import { PrismaPg } from '@prisma/adapter-pg'
import { createSav } from '@sav/http-node'
import { fromPrisma, openPostgres } from '@sav/storage-kysely/postgres'
import { PrismaClient } from './generated/client.ts'

const { SHOP_DB = '', SHOP_KEY = '' } = process.env

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: SHOP_DB }) })
const storage = await openPostgres(SHOP_DB, { schema: 'sav' })
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
const client = await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })

/** Creates a case and the order of a part for it: either both or neither. */
const orderPart = (description: string, part: string) =>
  prisma.$transaction(async (tx) => {
    const { cases } = sav.inTransaction(storage.inTransaction(fromPrisma(tx)))
    const { id } = await cases.create(actor, { client_id: client.id, description })
    if (part === '') throw new Error('no part was named')
    await tx.orders.create({ data: { case_id: id, part } })
  })

await orderPart('La charnière du meuble haut est cassée.', 'charnière 110°')
const refused = await orderPart('La façade du tiroir est rayée.', '').catch((error: Error) => error.message)
const { total } = await sav.cases.list('default', {})
console.log(`${total} case, ${await prisma.orders.count()} order; refused: ${refused}`)
await sav.close()
await storage.close()
await prisma.$disconnect()
