import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage, StoredFile } from '@sav/core/ports'
import { storageContract } from '@sav/core/testing'
import * as vitest from 'vitest'
import { newFile, openMigrated } from '../test/files.js'
import { withFileDirectory } from './file-directory.js'

const { afterAll, describe, expect, it } = vitest

const root = mkdtempSync(join(tmpdir(), 'sav-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
function newDirectory(): string {
  count += 1
  return join(root, String(count))
}

storageContract({
  name: 'SQLite file with its files in a directory',
  vitest,
  open: async () => withFileDirectory(await openMigrated(newFile()), newDirectory()).storage,
})

function file(text: string): StoredFile {
  const content = Buffer.from(text)
  return { sha256: createHash('sha256').update(content).digest('hex'), media_type: 'image/jpeg', content }
}

const hour = 3_600_000

async function house() {
  const store = await openMigrated(newFile())
  const directory = newDirectory()
  const opened = withFileDirectory(store, directory)
  const { storage } = opened
  const case_id = await storage.transaction(async (tx) => {
    const none = {
      raison_sociale: null,
      adresse: null,
      siret: null,
      email: null,
      telephone: null,
      signature_requise_depuis: null,
      confirmation_rdv_depuis: null,
      rappel_rdv_depuis: null,
      lieu: null,
      zone_feries: 'FR' as const,
      fuseau: null,
    }
    const created_at = '2026-01-15T10:30:00.000Z'
    await tx.accounts.add({ id: 'ours', ...none, assureur: null, mediateur: null, logo: null, created_at })
    const unknown = { email: null, telephone: null, adresse: null, lieu: null, whatsapp_depuis: null, efface_le: null }
    const client_id = await tx.directory.addClient('ours', { nom: 'Martin', prenom: 'Zoé', ...unknown })
    return tx.cases.insert({
      tete_historique: null,
      account_id: 'ours',
      annee: 2026,
      numero: 1,
      client_id,
      description: 'La porte ne ferme plus.',
      type_probleme: 'autre',
      priorite: 'normale',
      photos: [],
      date_creation: created_at,
    })
  })
  const put = (stored: StoredFile) => storage.transaction((tx) => tx.files.put('ours', case_id, stored))
  const pathOf = ({ sha256 }: StoredFile) => join(directory, 'ours', sha256.slice(0, 2), sha256)
  const age = (stored: StoredFile, ms: number) => {
    const then = new Date(Date.now() - ms)
    utimesSync(pathOf(stored), then, then)
  }
  const onDisk = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return { ...opened, store, directory, case_id, put, pathOf, age, onDisk }
}

describe('files in a directory', () => {
  it('lie under their account and hash, readable by nobody else, and not in the store', async () => {
    const { storage, store, case_id, put, pathOf, onDisk } = await house()
    const photo = file('a photo')
    await put(photo)
    expect(statSync(pathOf(photo)).mode & 0o777).toBe(0o600)
    expect(onDisk()).toHaveLength(1)
    expect((await store.reads.files.find('ours', case_id, photo.sha256))?.content).toHaveLength(0)
    expect(Buffer.from((await storage.reads.files.find('ours', case_id, photo.sha256))?.content ?? [])).toEqual(
      photo.content,
    )
  })

  it('that the store held before the directory was there are still found', async () => {
    const { storage, store, case_id } = await house()
    const photo = file('an older photo')
    await store.transaction((tx) => tx.files.put('ours', case_id, photo))
    expect(Buffer.from((await storage.reads.files.find('ours', case_id, photo.sha256))?.content ?? [])).toEqual(
      photo.content,
    )
  })

  it('that are lost from the disk are missing, and no error', async () => {
    const { storage, case_id, put, pathOf } = await house()
    const photo = file('a photo')
    await put(photo)
    rmSync(pathOf(photo))
    expect(await storage.reads.files.find('ours', case_id, photo.sha256)).toBeNull()
  })

  it('of a transaction that failed are swept once they are old', async () => {
    const { storage, case_id, age, onDisk, sweep } = await house()
    const photo = file('a photo')
    const failing = storage.transaction(async (tx) => {
      await tx.files.put('ours', case_id, photo)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await sweep()).toBe(0)
    age(photo, hour)
    expect(await sweep()).toBe(1)
    expect(onDisk()).toEqual([])
  })

  it('that a case holds are never swept', async () => {
    const { put, age, sweep, pathOf } = await house()
    const photo = file('a photo')
    await put(photo)
    age(photo, hour)
    expect(await sweep()).toBe(0)
    expect(statSync(pathOf(photo)).isFile()).toBe(true)
  })

  it('are deleted when they are let go of; one that was just written again waits for a sweep', async () => {
    const { storage, case_id, put, age, onDisk, sweep } = await house()
    const [old, young] = [file('an old photo'), file('a young photo')]
    await put(old)
    await put(young)
    age(old, hour)
    await storage.transaction((tx) => tx.files.release('ours', case_id))
    expect(onDisk().map(({ name }) => name)).toEqual([young.sha256])
    age(young, hour)
    expect(await sweep()).toBe(1)
  })

  it('put again are young again', async () => {
    const { put, age, pathOf } = await house()
    const photo = file('a photo')
    await put(photo)
    age(photo, hour)
    await put(photo)
    expect(Date.now() - statSync(pathOf(photo)).mtimeMs).toBeLessThan(60_000)
  })

  it('with names that are none of ours stay untouched', async () => {
    const { put, directory, sweep, onDisk } = await house()
    await put(file('a photo'))
    writeFileSync(join(directory, 'README'), 'kept')
    expect(await sweep()).toBe(0)
    expect(onDisk()).toHaveLength(2)
  })

  it.each(['../ours', 'OURS', '', 'a/b'])('have no place under the account %j', async (account_id) => {
    const { storage, onDisk }: { storage: Storage; onDisk: () => unknown[] } = await house()
    await expect(storage.transaction((tx) => tx.files.put(account_id, 1, file('a photo')))).rejects.toThrow()
    await expect(
      storage.transaction((tx) => tx.files.put('ours', 1, { ...file('a photo'), sha256: '../../escape' })),
    ).rejects.toThrow('cannot name a file')
    expect(() => onDisk()).toThrow()
  })
})
