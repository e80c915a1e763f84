import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { Child } from '../test/children.js'
import { newFile } from '../test/files.js'
import { operations } from '../test/operations.js'

describe('a process that only awaits operations of a store finishes each of them', () => {
  it('in a file', async () => {
    expect(await new Child('awaitEach', newFile()).end()).toEqual(Object.keys(operations.sqlite))
  })

  it('on PostgreSQL', async () => {
    await using database = await freshDatabase()
    expect(await new Child('awaitEach', database.url).end()).toEqual(Object.keys(operations.postgres))
  })
})
