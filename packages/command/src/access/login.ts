import { SavApiError } from '@sav/http-node/client'
import { apiOfService } from '../invocation/api.js'
import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { defaultProfile, profilesFile, readProfiles, writeProfiles } from '../settings/profiles.js'
import { isHttpUrl } from '../syntax/values.js'
import { type Column, wholeList } from '../terminal/columns.js'

const profileOf = ({ settings }: Context): string => settings.service.profile?.value ?? defaultProfile

/** Stores the address of a service and a key for it, once the service has accepted the key. */
export async function login(context: Context, typed: string): Promise<Output> {
  const profile = profileOf(context)
  if (!isHttpUrl(typed)) throw usageError(`${typed}: must be an http or https URL, such as https://sav.example.`)
  const url = typed.replace(/\/{1,9}$/, '')
  const key = context.settings.service.key ?? (await context.readSecret(`API key of ${url}: `)).trim()
  if (key === '') throw usageError('No key was given: type it, or put it on standard input or into SAV_API_KEY.')
  await refuseUnknownKey(url, key)
  const file = await writeProfiles(context, { ...readProfiles(context), [profile]: { url, key } })
  const use =
    profile === defaultProfile
      ? 'Commands now call it, unless a setting names a store or ./sav-data has one'
      : `Use it with --profile ${profile}`
  const text = `Logged in to ${url}. ${use}; the key is in ${file}, which only you can read.`
  return { json: { profile, url, file }, text }
}

/** Tries the key by reading a case. A 403 is accepted: a valid key may lack the permission to read cases. */
async function refuseUnknownKey(url: string, key: string): Promise<void> {
  const mayNot = (error: unknown) =>
    error instanceof CommandError && error.cause instanceof SavApiError && error.cause.status === 403
  await apiOfService({ baseUrl: url, key, attempts: 1 })
    .get('/api/v1/sav', { query: { limite: 1 } })
    .catch((error: unknown) => {
      if (!mayNot(error)) throw error
    })
}

export async function logout(context: Context): Promise<Output> {
  const profile = profileOf(context)
  const { [profile]: gone, ...others } = readProfiles(context)
  if (gone === undefined)
    throw usageError(
      profile === defaultProfile
        ? 'No key is stored for the default profile. `sav profiles` lists the stored profiles: name one with --profile.'
        : `--profile ${profile}: there is no such profile. sav profiles lists the existing ones.`,
    )
  await writeProfiles(context, others)
  return {
    json: { profile, url: gone.url },
    text: `Removed the stored key of ${gone.url}. The key itself still works, until sav keys revoke revokes it.`,
  }
}

export async function listProfiles(context: Context): Promise<Output> {
  const profiles = Object.entries(readProfiles(context)).map(([name, { url }]) => ({ name, url }))
  const columns: Column<(typeof profiles)[number]>[] = [
    { field: 'name', head: 'PROFILE', cell: ({ name }) => name },
    { field: 'url', head: 'URL', cell: ({ url }) => url },
  ]
  const { json, text } = wholeList(context, { columns, empty: 'No login yet: sav login URL' }, profiles)
  return { json, text: profiles.length === 0 ? text : `${text}\n\nKept in ${profilesFile(context)}.` }
}
