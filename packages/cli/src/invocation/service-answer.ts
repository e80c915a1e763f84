import { type Reason, ValidationError } from '@sav/core'
import { type FieldRefusal, SavApiError } from '@sav/http-node/client'
import * as z from 'zod'
import { CommandError, fetchProblem } from './command-error.js'
import { type ExitCode, exitCodes } from './exit-codes.js'
import { freeInstead } from './free-instead.js'

/**
 * What the service at `url` answers.
 * @throws ValidationError for fields that it refused; CommandError saying what else it refused, or that it cannot be reached
 */
export async function answered<T>(url: string, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof SavApiError) {
      // As of the store: told with the flag that was typed.
      if (error.status === 422 && error.details?.length)
        throw new ValidationError(error.details.map((each) => ({ field: each.field, ...reasonIn(each) })))
      const taken = takenSlot.safeParse(error.body).data
      const lines = [`${url} answers ${error.message}`, ...(taken ? freeInstead(taken.alternatives) : [])]
      throw new CommandError('refused', lines.join('\n'), {
        exitCode: exitCodeOf(error.status),
        details: error.details,
        ...(taken && { more: taken }),
        cause: error,
      })
    }
    throw new CommandError('unavailable', `${url} cannot be reached: ${fetchProblem(error)}`, {
      exitCode: exitCodes.unavailable,
      cause: error,
    })
  })
}

/** Of a service of another release as well, which may know codes that this one does not. */
export const reasonIn = ({ code, params, message }: Pick<FieldRefusal, 'code' | 'params' | 'message'>): Reason => ({
  code: code as Reason['code'],
  params,
  message,
})

/** What a refusal to book says beyond its sentence. */
const takenSlot = z.object({
  conflit: z.unknown(),
  alternatives: z.array(
    z.looseObject({ debut: z.string(), fin: z.string(), poseur: z.object({ id: z.number(), nom: z.string() }) }),
  ),
})

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  if (status === 400 || status === 422) return exitCodes.usage
  return status === 429 || status >= 502 ? exitCodes.unavailable : exitCodes.failed
}
