import { existsSync } from 'node:fs'
import { usageError } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { defaultProfile, type Profile, readProfiles } from './profiles.js'
import type { Settings, WrittenValue } from './settings.js'

/** A service that commands call. `from` says where it was set: `SAV_URL`, `--url`, `--profile lyon` … */
export interface Remote extends Profile {
  readonly from: string
}

/**
 * The service that commands call instead of a store; null if they use a store. If neither is set, and there is no store
 * at the default path, commands call the service of `sav login`.
 * @throws CommandError for an address without a key, and for an unknown profile
 */
export function remoteOf(settings: Settings, io: Pick<ProcessIO, 'env'>): Remote | null {
  const said = nearest(settings.service)
  if (said === null) return mayFallBack(settings) ? named(defaultProfile, 'sav login', io) : null
  if ('profile' in said) {
    const { value, from } = said.profile
    const found = named(value, `${from} ${value}`, io)
    if (found === null)
      throw usageError(`${from} ${value}: there is no such profile. sav profiles lists the existing ones.`)
    return found
  }
  const { value: url, from } = said.url
  const key = settings.service.key ?? Object.values(readProfiles(io)).find((each) => each.url === url)?.key
  if (key === undefined)
    throw usageError(`SAV_API_KEY is missing: ${from} needs a key. Set it, or log in: sav login ${url}`)
  return { url, key, from }
}

function named(profile: string, from: string, io: Pick<ProcessIO, 'env'>): Remote | null {
  const found = readProfiles(io)[profile]
  return found === undefined ? null : { ...found, from }
}

/**
 * The setting that names the service: a URL or a profile. A flag takes precedence over a variable.
 * @throws CommandError if both are flags, or both are variables
 */
function nearest({ url, profile }: Settings['service']) {
  const isFlag = ({ from }: WrittenValue) => from.startsWith('--')
  if (url === null) return profile === null ? null : { profile }
  if (profile === null) return { url }
  if (isFlag(url) === isFlag(profile))
    throw usageError(`${profile.from} and ${url.from} both name a service: give one of them.`)
  return isFlag(url) ? { url } : { profile }
}

/** Whether a command would find no store: none is set, and none exists at the default path. */
function mayFallBack({ database, inForce }: Settings): boolean {
  const isSaid = inForce.some(({ name, from }) => name === 'SAV_DATABASE' && from !== 'default')
  return !isSaid && database.kind === 'sqlite' && !existsSync(database.path)
}

/** @throws CommandError for a command on a store, if the settings name a service */
export function refuseRemote({ service: { url, profile } }: Pick<Settings, 'service'>): void {
  const said = url ?? profile
  if (said !== null)
    throw usageError(`This command works on a store, and not on a service: unset ${said.from} (${said.value}).`)
}
