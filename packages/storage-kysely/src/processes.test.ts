import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { allTables } from '../../all/src/kysely.js'
import { Child } from '../test/children.js'
import { newFile } from '../test/files.js'
import { operations } from '../test/operations.js'
import { storeTables } from './tables/store-tables.js'

async function newServerDatabase(): Promise<string> {
  const database = await freshDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database.url
}

describe.each([
  ['a SQLite file', async () => newFile(), operations.sqlite],
  ['PostgreSQL', newServerDatabase, operations.postgres],
] as const)('processes on %s', (_, newPlace, each) => {
  it('that start together run the migrations once, and number without a gap or a duplicate', async () => {
    const place = await newPlace()
    const migrating = [1, 2, 3].map(() => new Child('migrate', place).end())
    const ran = (await Promise.all(migrating)).flat().toSorted()
    expect(ran).toEqual([JSON.stringify(Object.keys(storeTables(allTables).migrations)), '[]', '[]'])

    const taking = [1, 2].map(async () => JSON.parse((await new Child('takeNumbers', place).end()).join('')))
    const numbers: number[] = (await Promise.all(taking)).flat()
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })

  it('that await only operations of the store do not exit before each of them ends', async () => {
    expect(await new Child('awaitEach', await newPlace()).end()).toEqual(Object.keys(each))
  })
})
