import { safeVerify } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { messageOf, usageError } from '../process/command-error.js'
import { fromVariableOrFile } from '../settings/secret-files.js'

const variable = 'SAV_WEBHOOK_SECRET'

/**
 * The signing secret of a receiver: the given one, or that of SAV_WEBHOOK_SECRET or SAV_WEBHOOK_SECRET_FILE; null if
 * there is none.
 * @throws CommandError for a mistyped secret, at once instead of at the first webhook
 */
export async function secretOf(
  { env, cwd, settings: { file } }: Context,
  given: string | undefined,
): Promise<string | null> {
  const said = (variables: Readonly<Record<string, string | undefined>>) =>
    fromVariableOrFile(variable, `${variable}_FILE`, { variables, cwd })
  const found = given === undefined ? (said(env) ?? (file && said(file.variables))) : { value: given, by: '--secret' }
  if (found === null || found.value === '') return null
  const { value: secret, by: from } = found
  await safeVerify('', {}, secret).catch((error: unknown) => {
    throw usageError(`${from}: ${messageOf(error)}`)
  })
  return secret
}
