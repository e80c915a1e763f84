import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { administer, asAdministrator, nameOf } from '../../../test/postgres.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { workplace } from './workplace.js'

/** The name and the URL of a new role that may only log in. */
async function roleOn(url: string): Promise<{ readonly name: string; readonly url: string }> {
  const name = `shop_${randomBytes(8).toString('hex')}`
  await administer(`create role ${name} login password 'password'`)
  onTestFinished(() =>
    asAdministrator(async (server) => {
      await server.query(`drop role ${name}`)
    }),
  )
  const theirs = new URL(url)
  theirs.username = name
  return { name, url: theirs.href }
}

const contacts: readonly (readonly [string, () => Promise<{ readonly url: string; readonly says: string }>])[] = [
  [
    'may make no tables in its schema',
    async () => {
      const { name, url } = await roleOn(await emptyDatabase())
      return {
        url,
        says: `The role ${name} may not create tables in the schema public. Allow it: grant create on schema "public" to "${name}"`,
      }
    },
  ],
  [
    'may use no schema',
    async () => {
      const { name, url } = await roleOn(await emptyDatabase())
      const without = new URL(url)
      without.searchParams.set('options', '-c search_path=nowhere')
      return { url: without.href, says: `The role ${name} may use none of the schemas on its search_path (nowhere)` }
    },
  ],
  [
    'has an encoding other than UTF8',
    async () => {
      const empty = await emptyDatabase()
      const name = nameOf(empty)
      await administer(`drop database ${name}`)
      await administer(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
      return {
        url: empty,
        says: `The database ${name} has the encoding LATIN1. Create one that can hold every text: create database "${name}" encoding 'UTF8' template template0`,
      }
    },
  ],
  [
    'is read-only',
    async () => {
      const url = await emptyDatabase()
      await administer(`alter database ${nameOf(url)} set default_transaction_read_only = on`)
      return { url, says: 'The database is read-only. Connect to the primary server' }
    },
  ],
  [
    'allows one connection',
    async () => {
      const { name, url } = await roleOn(await emptyDatabase())
      await administer(`alter role ${name} connection limit 1`)
      return { url, says: 'The database has too many connections. Raise the limit of the server' }
    },
  ],
  [
    'has a store of another role',
    async () => {
      const { url } = await roleOn(await migratedStore())
      return { url, says: 'The database refuses: permission denied for table ' }
    },
  ],
]

it.each(contacts)('on a database that %s, `sav init` says so, with the remedy', async (_, prepare) => {
  const { url, says } = await prepare()
  const shop = await workplace({ SAV_DATABASE: url })
  expect(await shop.sav('init')).toEqual({ code: 5, stdout: '', stderr: expect.stringContaining(says) })
})
