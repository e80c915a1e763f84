import type { Sav } from '@sav/core'
import { keyIdOf, secretKeyFact } from '@sav/core/adapter'
import type { EndpointRecord } from '@sav/core/ports'
import type { Context } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import { CommandError, usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { refuseRemote } from '../settings/remote.js'
import type { Settings } from '../settings/settings.js'
import { compose } from '../store/compose.js'
import { refuseBesideService } from '../store/copy-refusals.js'
import type { StoreStorage } from '../store/database.js'
import { cliActor } from '../store/local-actor.js'
import { newSecretKey, startSecretKeys } from '../store/secret-key.js'
import { openInitialised, refusePending } from '../store/store.js'
import { keyProblem } from '../store/store-key.js'
import { inAccount } from '../syntax/in-account.js'
import { confirm } from '../terminal/confirmation.js'
import { fields } from '../terminal/table.js'

export interface ReplaceKeyOptions {
  readonly forget_webhook_secrets?: boolean
  readonly yes?: boolean
}

interface RenewedSecret {
  readonly account_id: string
  readonly id: string
  readonly url: string
  /** The new secret, which is shown only once. */
  readonly secret: string
  readonly headers_forgotten: boolean
  readonly disabled: boolean
}

/** Replaces a lost key: everything that the key sealed is dropped, and every endpoint gets a new secret. */
export async function replaceKey(
  context: Context,
  { forget_webhook_secrets, yes }: ReplaceKeyOptions,
): Promise<Output> {
  const { settings } = context
  refuseRemote(settings)
  if (settings.secretKey !== null)
    throw usageError(
      'SAV_SECRET_KEY holds the key, and sav cannot change it there: unset the variable, and run this command again.',
    )
  if (!forget_webhook_secrets)
    throw usageError(
      'Without the old key the signing secrets and headers of webhooks cannot be read any more. Confirm with --forget-webhook-secrets.',
    )
  return closedAfter(openInitialised(settings), async (storage) => {
    await refuseUnfit(storage, settings)
    const question = 'Forget the signing secret and the headers of every webhook endpoint for good?'
    await confirm(context, { yes, question })
    const key = newSecretKey()
    const store = settings.database.kind === 'sqlite' ? settings.database.path : null
    const kept = await startSecretKeys(settings.secretKeyFile, { key, store })
    const endpoints = await renewSecrets(storage, { settings, key })
    return outputOf(context, { keyId: keyIdOf(key), kept, endpoints })
  })
}

async function refuseUnfit(storage: StoreStorage, settings: Settings): Promise<void> {
  await refusePending(storage)
  if ((await keyProblem(storage, settings)) === null)
    throw new CommandError(
      'key_is_there',
      'The secret key is present and correct: `sav secret-key rotate` replaces it and keeps all webhook secrets.',
    )
  // A running service would continue to sign with its old secrets.
  await refuseBesideService({ ...settings.database, storage })
}

/** Renews the secrets, and records the new key in the same transaction. So an interrupted command can be run again. */
async function renewSecrets(
  storage: StoreStorage,
  { settings, key }: { readonly settings: Settings; readonly key: Uint8Array },
): Promise<RenewedSecret[]> {
  const sav = await compose(settings, { storage, secretKey: key, findSecretKey: () => undefined })
  return storage.db.transaction().execute(async (trx) => {
    const inside = storage.inTransaction(trx)
    const { webhooks } = sav.inTransaction(inside)
    const renewed: RenewedSecret[] = []
    await inside.transaction(async (tx) => {
      for (let afterId = ''; ; ) {
        const page = await tx.endpoints.every({ afterId, limit: 100 })
        // Removed endpoints lose their secrets, because a later rotation of the key could not open them.
        for (const endpoint of page)
          if (endpoint.removed_at !== null)
            await tx.endpoints.update({ ...endpoint, sealed_secret: '', previous_secrets: [], sealed_headers: null })
        const last = page.at(-1)
        if (last === undefined) break
        afterId = last.id
      }
      await tx.facts.set(secretKeyFact, keyIdOf(key))
    })
    for (const { id: account_id } of await inside.reads.accounts.list())
      for (const endpoint of await inside.reads.endpoints.list(account_id))
        renewed.push(await renew(webhooks.endpoints, endpoint))
    // Stored answers that are sealed with the lost key are deleted too.
    await trx.deleteFrom('answers').where('answer', 'like', 'v1.%').execute()
    return renewed
  })
}

async function renew(
  endpoints: Sav['webhooks']['endpoints'],
  { account_id, id, url, sealed_headers, disabled_at }: EndpointRecord,
): Promise<RenewedSecret> {
  const actor = cliActor(account_id)
  const { secret } = await endpoints.rotateSecret(actor, id, { chevauchement_secondes: 0 })
  await endpoints.update(actor, id, { headers: {} })
  if (disabled_at === null) await endpoints.disable(actor, id)
  return { account_id, id, url, secret, headers_forgotten: sealed_headers !== null, disabled: true }
}

interface Outcome {
  readonly keyId: string
  /** The new path of the old key file; null if there was none. */
  readonly kept: string | null
  readonly endpoints: readonly RenewedSecret[]
}

function outputOf({ settings, terminal }: Context, { keyId, kept, endpoints }: Outcome): Output {
  const lines = [
    `The secret key is now ${keyId}, in ${settings.secretKeyFile}. Back it up apart from the store.`,
    ...(kept === null ? [] : [`The previous content of that file is kept in ${kept}.`]),
    ...(endpoints.length === 0
      ? []
      : [
          // Each secret is printed in full, so that it can be copied.
          ...endpoints.map(({ account_id, id, url, headers_forgotten, secret }) =>
            fields(terminal, [
              ['Endpoint', id],
              ['Account', account_id],
              ['URL', url],
              ['Headers', headers_forgotten ? 'forgotten' : null],
              ['New secret', secret],
              ['To enable it', inAccount(`sav webhooks enable ${id}`, account_id)],
            ]),
          ),
          'The secrets are shown only once. Each endpoint is disabled, and its deliveries wait, at most 30 days: give its receiver the new secret, set its headers again, then enable it.',
        ]),
  ]
  return { json: { key_id: keyId, secret_key_file: settings.secretKeyFile, kept, endpoints }, text: lines.join('\n\n') }
}
