import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorker } from '@sav/core'
import { withOutsideFiles } from '@sav/core/adapter'
import { fixedClock } from '@sav/core/testing'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../test/whole/opening.js'
import { actor, serviceOn } from '../../test/shop.js'
import { fileDirectory } from '../file-directory.js'
import type { SqliteStorage } from '../sqlite.js'

/** A number of cases whose words are indexed in several steps. */
const indexed = 512

/** Words of one person only, and beginnings of them that an index may hold. */
const personal = [
  'zanzibarovitch',
  'quixotique',
  'hurluberlu',
  'abracadabra',
  'tarabiscote',
  'zanzibaro',
  'quixoti',
  'hurlube',
  // The stored forms of a telephone and a town, and a stem.
  '0698765432',
  'zigzagueux',
  'quixot',
]

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-erasure-'))
  folders.push(folder)
  return folder
}

/** The personal words, in any case, that files below a folder contain. */
async function wordsIn(folder: string): Promise<string[]> {
  const left: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = (await readFile(join(entry.parentPath, entry.name))).toString('latin1').toLowerCase()
    left.push(...personal.filter((word) => bytes.includes(word)).map((word) => `${entry.name}: ${word}`))
  }
  return left
}

const jpeg = () =>
  `data:image/jpeg;base64,${Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffc0000b080001000101011100', 'hex'),
    Buffer.from('abracadabra '.repeat(2_000)),
    Buffer.from('ffd9', 'hex'),
  ]).toString('base64')}`

describe('after an erasure, the files of a SQLite store', () => {
  it.each(['in the database', 'in a directory'])(
    'hold none of the person’s words, with the photos %s',
    async (where) => {
      const folder = await newFolder()
      const opened: SqliteStorage = await openSqlite(join(folder, 'sav.db'))
      await opened.migrate()
      const clock = fixedClock()
      await mkdir(join(folder, 'files'))
      const contents = fileDirectory(join(folder, 'files'))
      const storage = where === 'in a directory' ? withOutsideFiles(opened, { contents, clock }) : opened
      const sav = serviceOn(storage, clock)
      await sav.accounts.add(actor, 'default')
      const { clients } = sav.directory
      const { id } = await clients.add(actor, { nom: 'Zanzibarov', prenom: 'Zoé', adresse: '1 rue Quixotique' })
      await clients.update(actor, id, { telephone: '+33 6 98 76 54 32', lieu: { ville: 'Zigzagueux' } })
      const [closed, open] = [
        await sav.cases.create(actor, { client_id: id, description: 'La porte quixotique grince.', photos: [jpeg()] }),
        await sav.cases.create(actor, {
          client_id: id,
          description: `Tiroir hurluberlu. ${'hurluberlu '.repeat(150)}`,
        }),
      ]
      await sav.cases.update(actor, closed.id, { notes_internes: `${'tarabiscoté '.repeat(300)} tarabiscote` })
      await sav.cases.close(actor, closed.id, { resolution: 'Charnière quixotique remplacée.', photo_avant: jpeg() })
      await sav.cases.reopen(actor, closed.id, { motif: 'La façade quixotique retombe.' })
      expect((await sav.cases.list('default', { recherche: 'quixotiques retombe 06.98 zigzagueux' })).total).toBe(1)
      const other = await clients.add(actor, { nom: 'Petit', prenom: 'Léa' })
      for (let count = 0; count < indexed; count += 1)
        void sav.cases.create(actor, { client_id: other.id, description: `La porte numéro ${count} ne ferme plus.` })
      // Leaves traces to be erased: an old name, and the space of notes that were longer once.
      await clients.update(actor, id, { nom: 'Zanzibarovitch' })
      await sav.cases.update(actor, open.id, { notes_internes: `${'quixotique '.repeat(400)}` })
      await sav.cases.update(actor, open.id, { notes_internes: 'rien' })
      const found = async () => (await sav.cases.list('default', { recherche: 'zanzibarovitch' })).total
      expect(await found()).toBe(2)

      await clients.erase(actor, id)
      expect(await found()).toBe(0)
      await clock.advance(10 * 60_000)
      await storage.outsideFiles?.removeDue()
      expect(await wordsIn(folder)).toEqual([])
      expect((await sav.cases.list('default', { recherche: 'porte' })).total).toBe(indexed)
      await opened.close()
      expect(await wordsIn(folder)).toEqual([])
    },
  )
})

describe('an erasure that cannot clear the database files at once', () => {
  /** A store with a client, and a worker. */
  async function withClient() {
    const folder = await newFolder()
    const path = join(folder, 'sav.db')
    const storage = await openSqlite(path, { busyTimeoutMs: 100 })
    await storage.migrate()
    const clock = fixedClock()
    const sav = serviceOn(storage, clock)
    await sav.accounts.add(actor, 'default')
    const { id } = await sav.directory.clients.add(actor, { nom: 'Zanzibarovitch', prenom: 'Zoé' })
    await sav.cases.create(actor, { client_id: id, description: 'La porte quixotique grince.' })
    const worker = createWorker({
      ...{ storage, clock, random: randomBytes, secretKey: new Uint8Array(32), receivers: { allowLocal: false } },
      ...{ timeoutMs: 5000, schedule: [0], concurrency: { total: 4, perTarget: 4 } },
      http: { post: () => Promise.reject(new Error('nobody is called')), close: async () => {} },
    })
    worker.start()
    const hourly = () => clock.advance(61 * 60_000)
    const close = async () => {
      await worker.stop()
      await storage.close()
    }
    return { folder, path, storage, sav, id, hourly, close }
  }

  it('is completed later if it was part of the caller’s transaction', async () => {
    const { folder, storage, path, sav, id, hourly, close } = await withClient()
    const own = new Sqlite(path)
    await storage.transactionOn(own, async (inside) => {
      await sav.inTransaction(inside).directory.clients.erase(actor, id)
    })
    own.close()
    expect(await wordsIn(folder)).not.toEqual([])
    await hourly()
    await expect.poll(() => wordsIn(folder)).toEqual([])
    await close()
  })

  it('is completed later if a reader still saw the old data', async () => {
    const { folder, path, sav, id, hourly, close } = await withClient()
    const reader = new Sqlite(path, { readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from clients').get()
    await sav.directory.clients.erase(actor, id)
    await hourly()
    expect(await wordsIn(folder)).not.toEqual([])
    reader.close()
    await hourly()
    await expect.poll(() => wordsIn(folder)).toEqual([])
    await close()
  })
})

describe('the files of a SQLite store', () => {
  it.each(['at their own path', 'behind a symbolic link'])('are readable only by their owner, %s', async (where) => {
    const folder = await newFolder()
    await chmod(folder, 0o777)
    let path = join(folder, 'sav.db')
    if (where === 'behind a symbolic link') {
      path = join(await newFolder(), 'link.db')
      await symlink(join(folder, 'sav.db'), path)
    }
    const before = process.umask(0o022)
    try {
      const storage = await openSqlite(path)
      await storage.migrate()
      for (const name of await readdir(folder))
        expect([name, ((await stat(join(folder, name))).mode & 0o777).toString(8)]).toEqual([name, '600'])
      expect(await readdir(folder)).toContain('sav.db-wal')
      await storage.close()
    } finally {
      process.umask(before)
    }
  })
})
