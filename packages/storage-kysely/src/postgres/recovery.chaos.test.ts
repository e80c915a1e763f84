import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { administer, nameOf } from '../../../../test/postgres.js'
import { openPostgres } from '../../../../test/whole/opening.js'
import { newDatabase } from '../../test/databases.js'

const rounds = process.env['SAV_TEST_CHAOS'] === '1' ? 100 : 10

describe('connections that the server ends', () => {
  it('are replaced, and no acknowledged transaction is lost or duplicated', async () => {
    const url = await newDatabase()
    const storage = await openPostgres(url)
    onTestFinished(() => storage.close())
    const name = nameOf(url)
    let ending = true
    const terminated = (async () => {
      for (let round = 0; round < rounds; round++) {
        await administer(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = '${name}' and pid <> pg_backend_pid()`)
        await setTimeout(20)
      }
      ending = false
    })()
    const acknowledged: number[] = []
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (ending) {
          const taken = await storage
            .transaction(async (tx) => {
              const number = await tx.cases.nextNumber('ours', 2026)
              await tx.facts.set(`number ${number}`, 'kept')
              return number
            })
            .catch((error: unknown) => {
              expect(error).toMatchObject({ code: 'unavailable' })
            })
          if (taken !== undefined) acknowledged.push(taken)
        }
      }),
    )
    await terminated
    const { rows } = await sql<{ name: string }>`select name from facts`.execute(storage.db)
    const kept = new Set(rows.map((row) => row.name))
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect(acknowledged.filter((number) => !kept.has(`number ${number}`))).toEqual([])
    expect(await storage.transaction((tx) => tx.cases.nextNumber('ours', 2026))).toBe(kept.size + 1)
  })
})
