import { usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { rotateSecretKey } from './secret-key-rotation.js'

export async function rotateKey({ settings, open }: Context): Promise<Output> {
  if (settings.secretKey !== null)
    throw usageError(
      'SAV_SECRET_KEY holds the key, and sav cannot change it there: write the key to a file (mode 0600), name the file ' +
        'in SAV_SECRET_KEY_FILE instead, and run this again.',
    )
  const { storage } = await open()
  const { keyId, endpoints } = await rotateSecretKey(settings, storage)
  const lines = [
    `The secret key is now ${keyId}, and sealed the secrets of ${endpoints} endpoints anew.`,
    `Back ${settings.secretKeyFile} up apart from the store. The key before it stays on its second line until the next`,
    'rotation; restart what runs since before this one, before that.',
  ]
  return { json: { key_id: keyId, endpoints, secret_key_file: settings.secretKeyFile }, text: lines.join('\n') }
}
