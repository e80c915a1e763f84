import { codeTried } from '../sync/lock.js'
import { opened, ownChanges, type Profile, rowsOf } from './database.js'

/** The profiles, sorted by name. */
export async function profiles(): Promise<Profile[]> {
  const found = await (await opened()).getAll('profiles')
  return found.toSorted((a, b) => a.nom.localeCompare(b.nom, 'fr'))
}

/** Adds a profile. False: another tab has already added one for this user, which stays unchanged. */
export async function addProfile(profile: Profile): Promise<boolean> {
  const transaction = (await opened()).transaction('profiles', 'readwrite')
  const isNew = (await transaction.store.getKey(profile.id)) === undefined
  if (isNew) await transaction.store.put(profile)
  await transaction.done
  return isNew
}

/** Changes a profile, if it exists. */
export async function changeProfile(id: string, change: (profile: Profile) => Profile): Promise<Profile | null> {
  const transaction = (await opened()).transaction('profiles', 'readwrite')
  const found = await transaction.store.get(id)
  if (found === undefined) return null
  const changed = change(found)
  await transaction.store.put(changed)
  await transaction.done
  return changed
}

/** Counts a try before its code is checked, so that closing the app does not avoid the count. */
export const countTry = (id: string) => changeProfile(id, codeTried)

export const rightCode = (id: string, now: number) =>
  changeProfile(id, (profile) => ({ ...profile, wrongCodes: 0, lastSeen: Math.max(now, profile.lastSeen) }))

/** Records that the service has answered for this user. */
export const contacted = (id: string, now: number, aheadMs: number) =>
  changeProfile(id, (profile) => ({ ...profile, lastContact: now, lastSeen: now, aheadMs }))

/** Deletes all data of this user on the phone. */
export async function wipe(id: string): Promise<void> {
  const transaction = (await opened()).transaction(['profiles', 'sealed'], 'readwrite')
  await Promise.all([
    transaction.objectStore('profiles').delete(id),
    transaction.objectStore('sealed').delete(rowsOf(id)),
    transaction.done,
  ])
  ownChanges.postMessage(id)
}
