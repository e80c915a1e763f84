import { formatReference, type Transaction } from '@sav/core/ports'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newCase, poseur } from '../../../storage-contract/src/samples/samples.js'
import { openFresh } from '../../test/databases.js'
import type { PostgresStorage } from '../postgres.js'

const at = '2026-01-15T10:30:00.000Z'
let storage: PostgresStorage
let client_id: number

beforeEach(async () => {
  // Several connections, for queries beside a shared transaction.
  storage = await openFresh({ connections: 3 })
  onTestFinished(() => storage.close())
  await sql`insert into accounts (id, created_at) values ('ours', ${at}), ('theirs', ${at})`.execute(storage.db)
  const { rows } = await sql<{
    id: number
  }>`insert into clients (account_id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 'Lefèvre', 'Zoé', 'lefevre zoe', '') returning id`.execute(storage.db)
  client_id = rows[0]?.id ?? 0
})

/** Takes a number, and adds an installer of that name. */
async function add(tx: Transaction, account_id = 'ours'): Promise<number> {
  const number = await tx.cases.nextNumber(account_id, 2026)
  await tx.directory.addPoseur(account_id, poseur({ nom: String(number) }))
  return number
}

/** Creates a case whose description contains `n`. */
function create(n: number, client = client_id): Promise<{ n: number; id: number; numero: number }> {
  return storage.transaction(async (tx) => {
    const numero = await tx.cases.nextNumber('ours', 2026)
    const owner = { account_id: 'ours', client_id: client, poseur_id: 0 }
    const id = await tx.cases.insert(newCase(owner, { numero, description: `Façade n° ${n}` }))
    return { n, id, numero }
  })
}

const kept = async (account_id = 'ours') => {
  const { items } = await storage.reads.directory.listPoseurs(account_id, { page: 1, limite: 200 })
  return items.map(({ nom }) => Number(nom)).toSorted((a, b) => a - b)
}
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('transactions that begin with the same number at the same time', () => {
  it('share a few commits, and leave no gap in their numbers', async () => {
    const shared: number[] = []
    storage.watchCommits((transactions) => shared.push(transactions))
    const taken = await Promise.all(upTo(50).map(() => storage.transaction((tx) => add(tx))))
    expect(taken.toSorted((a, b) => a - b)).toEqual(upTo(50))
    expect(await kept()).toEqual(upTo(50))
    const { rows } = await sql`select distinct xmin::text from poseurs`.execute(storage.db)
    expect(rows.length).toBeLessThan(25)
    expect(shared).toHaveLength(rows.length)
    expect(shared.reduce((sum, transactions) => sum + transactions)).toBe(50)
  })

  it('can take numbers of two years', async () => {
    const years = upTo(20).map((n) => 2026 + (n % 2))
    const taken = await Promise.all(
      years.map((annee) => storage.transaction((tx) => tx.cases.nextNumber('ours', annee))),
    )
    for (const year of [2026, 2027]) {
      const ofYear = taken.filter((_, index) => years[index] === year)
      expect(ofYear.toSorted((a, b) => a - b)).toEqual(upTo(10))
    }
  })

  it('survive when a statement of another one in the group fails, whether it was awaited or not', async () => {
    const outcomes = await Promise.allSettled(
      upTo(20).map((n) =>
        storage.transaction(async (tx) => {
          await add(tx)
          if (n === 7) await tx.directory.addPoseur('nobody', poseur({ nom: 'x' }))
          if (n === 8) await tx.files.put('nobody', 1, { sha256: 'x', media_type: 'x', content: Buffer.from('x') })
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(await kept()).toEqual(upTo(18))
  })

  it('stop sharing a commit when they lock something, so that the lock excludes the others', async () => {
    await storage.transaction((tx) => tx.facts.set('count', '0'))
    await Promise.all(
      upTo(10).map(() =>
        storage.transaction(async (tx) => {
          await add(tx)
          const count = Number(await tx.facts.get('count'))
          await tx.facts.set('count', String(count + 1))
        }),
      ),
    )
    expect(await storage.reads.facts.get('count')).toBe('10')
    expect(await kept()).toEqual(upTo(10))
  })

  it('insert their cases together, each case with its own content', async () => {
    const created = await Promise.all(upTo(50).map((n) => create(n)))
    for (const { n, id, numero } of created)
      expect(await storage.reads.cases.find('ours', id)).toMatchObject({
        reference: formatReference({ annee: 2026, numero }),
        description: `Façade n° ${n}`,
      })
  })

  it('survive when another one in the group names a client that does not exist', async () => {
    const outcomes = await Promise.allSettled(upTo(20).map((n) => create(n, n === 7 ? 8_000 : client_id)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const page = await storage.reads.cases.list('ours', {}, { page: 1, limite: 50 })
    expect(page.items.map(({ reference }) => Number(reference.slice(-5))).toSorted((a, b) => a - b)).toEqual(upTo(19))
  })

  it('are rejected once the store is closed', async () => {
    await storage.close()
    const refused = upTo(5).map(() => storage.transaction((tx) => add(tx)))
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected')
  })

  it('of different accounts share commits, and take separate numbers', async () => {
    const accounts = upTo(48).map((n) => (n % 3 === 0 ? 'theirs' : 'ours'))
    await Promise.all(['ours', 'theirs'].map((account) => storage.transaction((tx) => add(tx, account))))
    const taken = await Promise.all(accounts.map((account) => storage.transaction((tx) => add(tx, account))))
    for (const account of ['ours', 'theirs']) {
      const own = taken.filter((_, index) => accounts[index] === account)
      expect(own.toSorted((a, b) => a - b)).toEqual(upTo(own.length + 1).slice(1))
      expect(await kept(account)).toEqual(upTo(own.length + 1))
    }
    const { rows } = await sql`select xmin::text from poseurs group by xmin::text
      having count(distinct account_id) = 2`.execute(storage.db)
    expect(rows.length).toBeGreaterThan(0)
  })

  it('do not wait for one whose account’s counter is locked', async () => {
    await Promise.all(['ours', 'theirs'].map((account) => storage.transaction((tx) => add(tx, account))))
    const { promise, resolve } = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const held = storage.db.transaction().execute(async (trx) => {
      await sql`update reference_counters set dernier = dernier where account_id = 'ours'`.execute(trx)
      locked.resolve()
      await promise
    })
    await locked.promise
    const waiting = storage.transaction((tx) => add(tx, 'ours'))
    expect(await storage.transaction((tx) => add(tx, 'theirs'))).toBe(2)
    resolve()
    await held
    expect(await waiting).toBe(2)
  })

  it('of different accounts do not wait for each other', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = storage.transaction(async (tx) => {
      await add(tx, 'ours')
      await promise
    })
    expect(await storage.transaction((tx) => add(tx, 'theirs'))).toBe(1)
    resolve()
    await held
  })
})

describe('a transaction whose statements are not awaited', () => {
  it('is undone if one of them fails', async () => {
    const file = { sha256: 'a'.repeat(64), media_type: 'image/jpeg', content: Uint8Array.of(1) } as const
    // The case does not exist, so the second statement fails.
    await expect(storage.transaction((tx) => tx.files.put('ours', 1, file))).rejects.toThrow(/foreign key/)
    expect((await sql`select 1 from files`.execute(storage.db)).rows).toEqual([])
  })
})
