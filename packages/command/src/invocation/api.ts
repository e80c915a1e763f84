import { type Reason, ValidationError } from '@sav/core'
import { type ClientOptions, createClient, type FieldRefusal, SavApiError, type SavClient } from '@sav/http-node/client'
import * as z from 'zod'
import { CommandError, fetchProblem } from '../process/command-error.js'
import { type ExitCode, exitCodes } from '../process/outcome.js'
import type { OpenedAccount } from './context.js'

/** How long a call may take: long enough for a spreadsheet of all cases, or for photos over a slow connection. */
const timeoutMs = 300_000

/** The API of a service. Refusals and connection failures are thrown as CommandError. */
export function apiOfService(service: ClientOptions): SavClient {
  const url = service.baseUrl
  return throwing(createClient({ timeoutMs, ...service }), (error) => {
    if (error instanceof SavApiError) return refused(url, error)
    return new CommandError('unavailable', `${url} cannot be reached: ${fetchProblem(error)}`, { cause: error })
  })
}

/**
 * The API of the store, in this process. The user of this computer may do everything. A write adds an audit row in the
 * same transaction; a read adds none.
 */
export async function apiOfStore({ sav, operations, actor, record }: OpenedAccount): Promise<SavClient> {
  const { createLocalClient } = await import('@sav/http-node/local')
  const client = createLocalClient({
    sav: { ...sav, audit: { ...sav.audit, record, note() {}, count: () => false } },
    authenticate: () => ({ ...actor, permissions: 'all' }),
    features: async () => operations,
  })
  return throwing(client, (error) => (error instanceof SavApiError ? refused('The store', error) : error))
}

/** The client, with its errors converted by `errorOf`. */
function throwing(client: SavClient, errorOf: (error: unknown) => unknown): SavClient {
  const answered = <T>(call: Promise<T>) =>
    call.catch((error: unknown) => {
      throw errorOf(error)
    })
  return {
    get: (path, ...call) => answered(client.get(path, ...call)),
    post: (path, ...call) => answered(client.post(path, ...call)),
    put: (path, ...call) => answered(client.put(path, ...call)),
    patch: (path, ...call) => answered(client.patch(path, ...call)),
    delete: (path, ...call) => answered(client.delete(path, ...call)),
    async *each(path, ...call) {
      try {
        yield* client.each(path, ...call)
      } catch (error) {
        throw errorOf(error)
      }
    },
  }
}

function refused(where: string, error: SavApiError): Error {
  // Converted to a ValidationError, so that the message names the typed option, as it does for a command on a store.
  if (error.status === 422 && error.details.length > 0)
    return new ValidationError(error.details.map((each) => ({ field: each.field, ...reasonIn(each) })))
  const taken = takenSlot.safeParse(error.body).data
  return new CommandError('refused', `${where} answers ${error.message}${remedyOf(error)}`, {
    exitCode: exitCodeOf(error.status),
    details: error.details,
    ...(taken && { more: taken }),
    cause: error,
  })
}

/** What to do about a refused key or a wrong server, worded as the end of a sentence. */
function remedyOf({ status, error, body }: SavApiError): string {
  if (error === 'Missing or invalid API key')
    return ': the key is wrong, revoked, expired, or not for this address. Give another one: sav login URL, or SAV_API_KEY.'
  if (status < 300) return ': this answer is not from sav. Does a proxy answer in its place?'
  if (status < 400) return ': it leads to another address. Give the address of the service itself, perhaps with https.'
  const lacking = status === 403 ? permissionNeeded.safeParse(body).data : undefined
  return lacking === undefined ? '' : `: this key lacks the permission ${lacking.required}.`
}

/** The reason of a refusal. A service of another release may send codes that this release does not have. */
const reasonIn = ({ code, params, message }: Pick<FieldRefusal, 'code' | 'params' | 'message'>): Reason => ({
  code: code as Reason['code'],
  params,
  message,
})

/** The field of a 403's body that names the missing permission. */
const permissionNeeded = z.object({ required: z.string() })

/** The fields of the body of a refused booking: the conflicting appointment, and free alternatives. */
export const takenSlot = z.object({
  conflit: z.looseObject({ id: z.number(), debut: z.string(), fin: z.string() }),
  alternatives: z.array(
    z.looseObject({ debut: z.string(), fin: z.string(), poseur: z.object({ id: z.number(), nom: z.string() }) }),
  ),
})

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  if (status === 400 || status === 422) return exitCodes.usage
  return status < 400 || status === 429 || status >= 502 ? exitCodes.unavailable : exitCodes.failed
}
