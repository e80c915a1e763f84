import { stat } from 'node:fs/promises'
import { type Service, UnavailableError } from '@sav/core'
import { countReceivers, type HealthState } from '@sav/core/internal'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from '../store/database.js'
import { placesAndBackup, placesOf, problemAt, type StorageLocation } from '../store/free-space.js'

/** What metrics tell of the installation beside its deliveries. */
export interface Installation {
  readonly receivers: Readonly<Record<HealthState, number>>
  readonly letters: number
  /** When the last backup was made, an instant; null: none was. */
  readonly backupAt: string | null
  readonly places: readonly StorageLocation[]
}

export async function lookAtInstallation(
  storage: Pick<StoreStorage, 'reads' | 'waitingLetters'>,
  settings: Settings,
): Promise<Installation> {
  const { backup, places } = await placesAndBackup(storage, settings)
  const receivers = await countReceivers(storage.reads, Date.now())
  return { receivers, letters: (await storage.waitingLetters()).total, backupAt: backup?.at ?? null, places }
}

/**
 * What a probe asks: the service's own readiness, whether there is room for what is to be stored, and whether the file of the
 * store is still the one that was opened. A process goes on writing to a file that was replaced, or whose volume was taken away,
 * and all of that would be lost.
 */
export async function readinessOf(service: Pick<Service, 'ready'>, settings: Settings): Promise<Service['ready']> {
  const { database } = settings
  const path = database.kind === 'sqlite' ? database.path : null
  const identity = async () => {
    const found = path && (await stat(path).catch(() => null))
    return found && `${found.dev} ${found.ino}`
  }
  const opened = await identity()
  return async () => {
    await service.ready()
    for (const place of await placesOf(settings, null)) {
      const problem = problemAt(place)
      if (problem !== null) throw new UnavailableError(problem, { retryAfterSeconds: 10 })
    }
    if ((await identity()) !== opened)
      throw new UnavailableError(
        `The store at ${path} is not the one that was opened: was its volume taken away, or the file replaced? Put it back, then restart.`,
        { retryAfterSeconds: 60 },
      )
  }
}
