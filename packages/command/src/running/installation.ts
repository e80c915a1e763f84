import { stat } from 'node:fs/promises'
import { type Service, UnavailableError } from '@sav/core'
import { countReceivers, type healthStates } from '@sav/core/adapter'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from '../store/database.js'
import { placesOf, problemAt } from '../store/free-space.js'
import { type LastBackup, lastBackup } from '../store/last-backup.js'

/** The state of the installation that metrics report, except for its deliveries. */
export interface Installation {
  readonly receivers: Readonly<Record<(typeof healthStates)[number], number>>
  readonly letters: number
  /** The last backup; null if none was made. */
  readonly backup: LastBackup | null
}

export async function lookAtInstallation(
  storage: Pick<StoreStorage, 'reads' | 'waitingLetters'>,
): Promise<Installation> {
  const backup = await lastBackup(storage)
  const receivers = await countReceivers(storage.reads, Date.now())
  return { receivers, letters: (await storage.waitingLetters()).total, backup }
}

/**
 * The readiness check of a probe. It includes the service's own check, the free space, and whether the store's path
 * still leads to the file that was opened. If the file was replaced, or its volume was removed, everything that the
 * service still writes would be lost.
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
        `The store at ${path} is not the one that was opened: was its volume unmounted, or the file replaced? Put it back, then restart.`,
        { retryAfterSeconds: 60 },
      )
  }
}
