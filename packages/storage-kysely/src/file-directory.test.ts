import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredFile } from '@sav/core/ports'
import { afterAll, describe, expect, it } from 'vitest'
import { storageContract } from '../../../test/whole/contract.js'
import { onlyParts } from '../test/contract-parts.js'
import { openWithFileDirectory } from '../test/files.js'
import { fileDirectory } from './file-directory.js'

const root = mkdtempSync(join(tmpdir(), 'sav-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
function newDirectory(): string {
  count += 1
  const directory = join(root, String(count))
  mkdirSync(directory)
  return directory
}

// Runs the parts of the contract that use files, and the part about transactions.
storageContract({
  name: 'SQLite file with its files in a directory',
  vitest: onlyParts(['files', 'removals of files', 'erasure', 'logos', 'transactions', 'life of a store']),
  open: openWithFileDirectory,
})

function file(text: string): StoredFile {
  const content = Buffer.from(text)
  return { sha256: createHash('sha256').update(content).digest('hex'), media_type: 'image/jpeg', content }
}

const onDisk = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

async function listed(directory: string): Promise<unknown[]> {
  const names: unknown[] = []
  for await (const name of fileDirectory(directory).list()) names.push(name)
  return names
}

describe('files in a directory', () => {
  it('are stored under their account and hash, readable only by their owner', async () => {
    const directory = newDirectory()
    const contents = fileDirectory(directory)
    const photo = file('a photo')
    for (const _ of ['once', 'twice']) await contents.put('ours', photo)
    const path = join(directory, 'ours', photo.sha256.slice(0, 2), photo.sha256)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'ours')).mode & 0o777).toBe(0o700)
    expect(onDisk(directory)).toHaveLength(1)
    expect(await contents.get('ours', photo.sha256)).toEqual(photo.content)
    expect(await contents.get('theirs', photo.sha256)).toBeNull()
    expect(await listed(directory)).toEqual([{ account_id: 'ours', sha256: photo.sha256 }])
  })

  it('can be removed twice, without removing the same file of another account', async () => {
    const directory = newDirectory()
    const contents = fileDirectory(directory)
    const photo = file('a photo')
    await contents.put('ours', photo)
    await contents.put('theirs', photo)
    for (const _ of ['once', 'twice']) await contents.remove('ours', photo.sha256)
    expect(await contents.get('ours', photo.sha256)).toBeNull()
    expect(await listed(directory)).toEqual([{ account_id: 'theirs', sha256: photo.sha256 }])
  })

  it('are not listed if their names are not those of stored files', async () => {
    const directory = newDirectory()
    expect(await listed(directory)).toEqual([])
    const photo = file('a photo')
    await fileDirectory(directory).put('ours', photo)
    writeFileSync(join(directory, 'readme'), 'kept')
    writeFileSync(join(directory, 'ours', photo.sha256.slice(0, 2), '.unfinished'), 'kept')
    expect(await listed(directory)).toEqual([{ account_id: 'ours', sha256: photo.sha256 }])
  })

  it.each(['../ours', 'OURS', '', 'a/b'])('are refused under the account %j', async (account_id) => {
    const directory = newDirectory()
    const contents = fileDirectory(directory)
    await expect(contents.put(account_id, file('a photo'))).rejects.toThrow('cannot name a file')
    await expect(contents.put('ours', { ...file('a photo'), sha256: '../../escape' })).rejects.toThrow(
      'cannot name a file',
    )
    await expect(contents.get(account_id, file('a photo').sha256)).rejects.toThrow('cannot name a file')
    expect(onDisk(directory)).toEqual([])
  })

  it('are unavailable while the directory is missing, which is not created again', async () => {
    const directory = newDirectory()
    const contents = fileDirectory(directory)
    const photo = file('a photo')
    await contents.put('ours', photo)
    rmSync(directory, { recursive: true })
    const away = {
      kind: 'unavailable',
      message: `The directory of the files, ${directory}, is not there: is its volume mounted?`,
    }
    await expect(contents.put('ours', photo)).rejects.toMatchObject(away)
    await expect(contents.get('ours', photo.sha256)).rejects.toMatchObject(away)
    await expect(contents.remove('ours', photo.sha256)).rejects.toMatchObject(away)
    await expect(listed(directory)).rejects.toMatchObject(away)
    expect(existsSync(directory)).toBe(false)
  })

  it('are unavailable while a file has the name of their account’s folder, and the error gives its code', async () => {
    const directory = newDirectory()
    writeFileSync(join(directory, 'ours'), 'in the way')
    const contents = fileDirectory(directory)
    const photo = file('a photo')
    const away = {
      kind: 'unavailable',
      message: `The directory of the files, ${directory}, cannot be used (ENOTDIR): allow this user to write there.`,
    }
    await expect(contents.put('ours', photo)).rejects.toMatchObject(away)
    await expect(contents.get('ours', photo.sha256)).rejects.toMatchObject(away)
  })
})
