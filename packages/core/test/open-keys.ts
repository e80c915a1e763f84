import { randomBytes } from 'node:crypto'
import { memoryStorage } from '../../../test/memory-storage.js'
import { account } from '../../storage-contract/src/samples/samples.js'
import { type CreateKeyInput, createKnownKeys, type Keys, keyQueries, keyWrites } from '../src/access/api-keys.js'
import { permissionsOf } from '../src/access/permissions.js'
import type { Storage } from '../src/storage.js'
import { fixedClock } from '../src/testing/index.js'
import { businessCalendar, toInstant } from '../src/time/time.js'
import { idMaker } from '../src/values/ids.js'
import type { Random } from '../src/values/random.js'
import { performing } from '../src/write.js'

export const day = 86_400_000
export const anywhere = '203.0.113.9'
export const basic: CreateKeyInput = { nom: 'caisse', permissions: ['sav:read'] }

/** Two accounts, and the keys as one process of an installation sees them. */
export async function openKeys(random: Random = randomBytes) {
  const storage = await memoryStorage()
  const clock = fixedClock()
  const calendar = businessCalendar('Europe/Paris')
  const permissions = permissionsOf([])
  /** The keys in a separate process; `scoped` are those of the same process on another store. */
  const process = (store: Storage = storage) => {
    const known = createKnownKeys(clock)
    const used: string[] = []
    const note = ({ id }: { id: string }) => used.push(id)
    const scoped = (store: Storage): Keys => ({
      ...keyQueries({ reads: store.reads, clock, known, permissions, used: note }),
      ...performing(store, keyWrites({ clock, calendar, random, newId: idMaker(clock, random), known, permissions })),
    })
    return { ...scoped(store), scoped, used }
  }
  for (const id of ['ours', 'theirs']) await storage.transaction((tx) => tx.accounts.add(account(id)))
  return { storage, clock, process, keys: process(), inDays: (days: number) => toInstant(clock.now() + days * day) }
}
