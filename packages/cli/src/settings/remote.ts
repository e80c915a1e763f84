import { usageError } from '../invocation/command-error.js'
import type { Settings } from './settings.js'

/** @throws CommandError for a command on a store, where the settings name a service */
export function refuseRemote({ remote }: Pick<Settings, 'remote'>): void {
  if (remote !== null)
    throw usageError(`This command works on a store, and not on a service: unset SAV_URL (${remote.url}).`)
}
