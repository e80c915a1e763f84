import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { rotateSecretKey } from '../store/secret-key-rotation.js'
import { keyProblem } from '../store/store-key.js'
import { confirm } from '../terminal/confirmation.js'
import { counted } from '../terminal/terminal.js'

export async function rotateKey(context: Context, { yes }: { readonly yes?: boolean }): Promise<Output> {
  const { settings, open } = context
  if (settings.secretKey !== null)
    throw usageError(
      'SAV_SECRET_KEY holds the key, and sav cannot change it there: write the key to a file (mode 0600), name the file ' +
        'in SAV_SECRET_KEY_FILE instead, and run this again.',
    )
  const { storage } = await open()
  const wrongKey = await keyProblem(storage, settings)
  if (wrongKey !== null) throw new CommandError('wrong_secret_key', wrongKey)
  const question = `Seal every webhook secret with a new key, in ${settings.secretKeyFile}? Copies of the old key cannot open backups that are made afterwards.`
  await confirm(context, { yes, question })
  const { keyId, endpoints } = await rotateSecretKey(settings, storage)
  const lines = [
    `The secret key is now ${keyId}. It seals the secrets of ${counted(endpoints, 'endpoint')}.`,
    `Back ${settings.secretKeyFile} up apart from the store. The previous key stays on its second line until the next`,
    'rotation. Before that rotation, restart every process that started before this one.',
  ]
  return { json: { key_id: keyId, endpoints, secret_key_file: settings.secretKeyFile }, text: lines.join('\n') }
}
