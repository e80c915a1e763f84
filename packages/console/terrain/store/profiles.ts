import { codeTried } from '../sync/lock.js'
import { opened, ownChanges, type Profile, rowsOf } from './database.js'

/** The profiles, sorted by name. */
export async function profiles(): Promise<Profile[]> {
  const found = await (await opened()).getAll('profiles')
  return found.toSorted((a, b) => a.nom.localeCompare(b.nom, 'fr'))
}

/** False: this person has a part of this phone already, by another tab, and it stays as it is. */
export async function addProfile(profile: Profile): Promise<boolean> {
  const transaction = (await opened()).transaction('profiles', 'readwrite')
  const isNew = (await transaction.store.getKey(profile.id)) === undefined
  if (isNew) await transaction.store.put(profile)
  await transaction.done
  return isNew
}

/** Changes what is known of a profile; nothing happens where it is gone. */
export async function changeProfile(id: string, change: (profile: Profile) => Profile): Promise<Profile | null> {
  const transaction = (await opened()).transaction('profiles', 'readwrite')
  const found = await transaction.store.get(id)
  if (found === undefined) return null
  const changed = change(found)
  await transaction.store.put(changed)
  await transaction.done
  return changed
}

/** Before a code is tried: so that no end of the app makes it uncounted. */
export const countTry = (id: string) => changeProfile(id, codeTried)

export const rightCode = (id: string, now: number) =>
  changeProfile(id, (profile) => ({ ...profile, wrongCodes: 0, lastSeen: Math.max(now, profile.lastSeen) }))

/** The service answered as to this person. */
export const contacted = (id: string, now: number, aheadMs: number) =>
  changeProfile(id, (profile) => ({ ...profile, lastContact: now, lastSeen: now, aheadMs }))

/** Nothing of this person stays on the phone. */
export async function wipe(id: string): Promise<void> {
  const transaction = (await opened()).transaction(['profiles', 'sealed'], 'readwrite')
  await Promise.all([
    transaction.objectStore('profiles').delete(id),
    transaction.objectStore('sealed').delete(rowsOf(id)),
    transaction.done,
  ])
  ownChanges.postMessage(id)
}
