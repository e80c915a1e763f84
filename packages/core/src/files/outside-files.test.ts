import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { addCase, addOwner, present } from '../../../storage-contract/src/samples/samples.js'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { fixedClock } from '../testing/fixed-clock.js'
import type { FileContents } from './file-contents.js'
import { withOutsideFiles } from './outside-files.js'
import type { StoredFile } from './stored-file.js'

const minute = 60_000

function photo(text = 'une photo'): StoredFile {
  const content = Buffer.from(text)
  return { sha256: hash('sha256', content), media_type: 'image/jpeg', content }
}

/** A place in memory, with the faults that a test sets. */
function openPlace() {
  const kept = new Map<string, Uint8Array>()
  const faults: { put?: Error; remove?: Error } = {}
  const contents: FileContents = {
    async put(account_id, { sha256, content }) {
      if (faults.put) throw faults.put
      kept.set(`${account_id}/${sha256}`, content)
    },
    get: async (account_id, sha256) => kept.get(`${account_id}/${sha256}`) ?? null,
    async remove(account_id, sha256) {
      if (faults.remove) throw faults.remove
      kept.delete(`${account_id}/${sha256}`)
    },
    async *list() {
      for (const name of kept.keys()) {
        const [account_id = '', sha256 = ''] = name.split('/')
        yield { account_id, sha256 }
      }
    },
  }
  return { contents, kept, faults }
}

async function house() {
  const store = await memoryStorage()
  const clock = fixedClock()
  const place = openPlace()
  const storage = withOutsideFiles(store, { contents: place.contents, clock })
  const outside = present(storage.outsideFiles)
  const owner = await addOwner(storage, 'ours')
  const [first, second] = [await addCase(storage, owner), await addCase(storage, owner)]
  const put = (file: StoredFile, case_id = first.id) => storage.transaction((tx) => tx.files.put('ours', case_id, file))
  const release = (case_id = first.id) => storage.transaction((tx) => tx.files.release('ours', case_id))
  const found = async (file: StoredFile) =>
    (await storage.reads.files.find('ours', first.id, file.sha256))?.content ?? null
  return { ...place, store, storage, outside, clock, first, second, put, release, found }
}

const away = () => new UnavailableError('The place is away.', { retryAfterSeconds: 5 })

describe('files outside of the store', () => {
  it('have their content outside, and their row in the store', async () => {
    const { store, outside, kept, first, put, found } = await house()
    const file = photo()
    await outside.upload('ours', [file])
    await put(file)
    expect([...kept.keys()]).toEqual([`ours/${file.sha256}`])
    expect((await store.reads.files.find('ours', first.id, file.sha256))?.content).toHaveLength(0)
    expect(await found(file)).toEqual(file.content)
  })

  it('are also found if the store still has their content', async () => {
    const { store, kept, first, found } = await house()
    const file = photo()
    await store.transaction((tx) => tx.files.put('ours', first.id, file))
    expect(kept.size).toBe(0)
    expect(Buffer.from((await found(file)) ?? [])).toEqual(file.content)
  })

  it('are uploaded once, before the transaction', async () => {
    const { outside, faults, put, found } = await house()
    const file = photo()
    await outside.upload('ours', [file])
    faults.put = new Error('A second upload.')
    await put(file)
    expect(await found(file)).toEqual(file.content)
  })

  it('that were uploaded for one account are uploaded again for another', async () => {
    const { storage, outside, kept, put } = await house()
    const file = photo()
    await addOwner(storage, 'theirs')
    await outside.upload('theirs', [file])
    await put(file)
    expect([...kept.keys()].sort()).toEqual([`ours/${file.sha256}`, `theirs/${file.sha256}`])
  })

  it('are reported as missing if they are lost, without an error', async () => {
    const { outside, kept, put, found } = await house()
    const file = photo()
    await outside.upload('ours', [file])
    await put(file)
    kept.clear()
    expect(await found(file)).toBeNull()
  })

  it('that no transaction refers to are removed ten minutes after their upload', async () => {
    const { outside, clock, kept } = await house()
    await outside.upload('ours', [photo()])
    await clock.advance(10 * minute - 1)
    expect(await outside.removeDue()).toBe(0)
    expect(kept.size).toBe(1)
    await clock.advance(1)
    expect(await outside.removeDue()).toBe(1)
    expect(kept.size).toBe(0)
    expect(await outside.removeDue()).toBe(0)
  })

  it('are removed too if their upload failed', async () => {
    const { outside, clock, faults, kept, storage } = await house()
    faults.put = away()
    await expect(outside.upload('ours', [photo()])).rejects.toThrow(UnavailableError)
    // Here the upload succeeded, and only its answer was lost.
    kept.set(`ours/${photo().sha256}`, photo().content)
    await clock.advance(10 * minute)
    expect(await outside.removeDue()).toBe(1)
    expect(kept.size).toBe(0)
    expect(await storage.reads.fileRemovals.find('ours', photo().sha256)).toBeNull()
  })

  it('that a case holds are not removed, even after a second upload without a transaction', async () => {
    const { outside, clock, put, found } = await house()
    const file = photo()
    await outside.upload('ours', [file])
    await put(file)
    await outside.upload('ours', [photo()])
    await clock.advance(11 * minute)
    expect(await outside.removeDue()).toBe(0)
    expect(await found(file)).toEqual(file.content)
  })

  it('are removed once no case holds them any more', async () => {
    const { outside, clock, kept, second, put, release } = await house()
    const file = photo()
    await outside.upload('ours', [file])
    await put(file)
    await put(file, second.id)
    expect(await release()).toEqual([])
    await clock.advance(11 * minute)
    expect(await outside.removeDue()).toBe(0)
    expect(await release(second.id)).toEqual([file.sha256])
    expect(await outside.removeDue()).toBe(0)
    await clock.advance(10 * minute)
    expect(await outside.removeDue()).toBe(1)
    expect(kept.size).toBe(0)
  })

  it('are kept if they are uploaded again before their removal', async () => {
    const { outside, clock, put, release, found } = await house()
    const file = photo()
    await outside.upload('ours', [file])
    await put(file)
    await release()
    await clock.advance(10 * minute)
    const again = photo()
    await outside.upload('ours', [again])
    expect(await outside.removeDue()).toBe(0)
    await put(again)
    await clock.advance(20 * minute)
    expect(await outside.removeDue()).toBe(0)
    expect(await found(again)).toEqual(again.content)
  })

  it('are refused in a transaction after or during their removal', async () => {
    const { outside, clock, faults, put, found } = await house()
    const late = photo()
    await outside.upload('ours', [late])
    await clock.advance(10 * minute)
    faults.remove = away()
    await expect(outside.removeDue()).rejects.toThrow('away')
    await expect(put(late)).rejects.toThrow(UnavailableError)
    await expect(outside.upload('ours', [photo()])).rejects.toThrow('is being removed')
    delete faults.remove
    await clock.advance(10 * minute)
    expect(await outside.removeDue()).toBe(1)
    await expect(put(late)).rejects.toThrow('send it again')
    expect(await found(late)).toBeNull()
    const again = photo()
    await outside.upload('ours', [again])
    await put(again)
    expect(await found(again)).toEqual(again.content)
  })

  it('are removed by one process at a time, and by another if that one is killed', async () => {
    const { outside, storage, clock, contents } = await house()
    await outside.upload('ours', [photo()])
    await clock.advance(10 * minute)
    const begun = Promise.withResolvers<void>()
    const killed = withOutsideFiles(storage, {
      clock,
      contents: {
        ...contents,
        remove: () => {
          begun.resolve()
          return new Promise(() => {})
        },
      },
    })
    void killed.outsideFiles?.removeDue()
    await begun.promise
    expect(await outside.removeDue()).toBe(0)
    await clock.advance(10 * minute)
    expect(await outside.removeDue()).toBe(1)
  })

  it('that cannot be removed do not delay others', async () => {
    const { outside, clock, contents, storage, kept } = await house()
    const [stuck, other] = [photo('gardée'), photo('autre')]
    await outside.upload('ours', [stuck])
    await clock.advance(1)
    await outside.upload('ours', [other])
    await clock.advance(10 * minute)
    const refusing: Storage = withOutsideFiles(storage, {
      clock,
      contents: {
        ...contents,
        async remove(account_id, sha256) {
          if (sha256 === stuck.sha256) throw new Error('Locked.')
          await contents.remove(account_id, sha256)
        },
      },
    })
    await expect(refusing.outsideFiles?.removeDue()).rejects.toThrow('Locked.')
    expect([...kept.keys()]).toEqual([`ours/${stuck.sha256}`])
    // The stuck file can be uploaded meanwhile, since no process is removing it.
    await outside.upload('ours', [photo('gardée')])
  })

  it('without a row are found by a sweep, which spares files that a case holds or uploaded just now', async () => {
    const { outside, clock, kept, put, found } = await house()
    const [held, coming, left] = [photo('tenue'), photo('à venir'), photo('laissée')]
    await outside.upload('ours', [held, coming])
    await put(held)
    kept.set(`ours/${left.sha256}`, left.content)
    expect(await outside.sweep()).toBe(1)
    expect(await outside.sweep()).toBe(0)
    await put(coming)
    await clock.advance(10 * minute)
    expect(await outside.removeDue()).toBe(1)
    expect(await found(coming)).toEqual(coming.content)
    expect([...kept.keys()].sort()).toEqual([`ours/${held.sha256}`, `ours/${coming.sha256}`].sort())
  })
})
