import { safeVerify } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { messageOf, usageError } from '../process/command-error.js'
import { readDotenv } from '../settings/settings.js'

/**
 * The signing secret of a receiver: as given, or of SAV_WEBHOOK_SECRET; null: there is none.
 * @throws CommandError for one that is mistyped, rather than at the first webhook
 */
export async function secretOf({ env, cwd }: Context, given: string | undefined): Promise<string | null> {
  const from = given === undefined ? 'SAV_WEBHOOK_SECRET' : '--secret'
  const secret = given ?? (env['SAV_WEBHOOK_SECRET'] || readDotenv(cwd)['SAV_WEBHOOK_SECRET'])
  if (!secret) return null
  await safeVerify('', {}, secret).catch((error: unknown) => {
    throw usageError(`${from}: ${messageOf(error)}`)
  })
  return secret
}
