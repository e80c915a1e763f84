import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { makeStore } from '../store/store.js'
import { firstAnswers } from './first-answers.js'

/** Creates a store. At a terminal, it then asks a few questions about the new store. */
export async function init(context: Context, { yes }: { readonly yes?: true }): Promise<Output> {
  const { settings, stderr, json: asJson } = context
  const { storage, made } = await makeStore(settings, (sentence) => stderr.write(`${sentence}\n`))
  await storage.close()
  const { database, secretKeyFile } = settings
  const kept = settings.secretKey === null ? secretKeyFile : 'SAV_SECRET_KEY'
  const lines = [
    schemaSentence(made),
    made.secretKey
      ? `Secret key made: ${secretKeyFile}. Back it up apart from the store: without it no webhook secret can be read.`
      : `Secret key kept: ${kept}.`,
    made.account ? 'Account `default` added.' : 'Account `default` kept.',
    `The store is ready: ${database.name}. Next: sav keys create --name site --permissions sav:read,sav:write, then sav serve.`,
  ]
  const isNew = made.account && !yes && !asJson
  const said = isNew ? await firstAnswers(context) : []
  const json = {
    database: database.name,
    migrations: made.migrations,
    secret_key_file: settings.secretKey === null ? secretKeyFile : null,
    secret_key_made: made.secretKey,
    account: 'default',
    account_added: made.account,
  }
  return { json, text: [lines.join('\n'), ...said].join('\n\n') }
}

function schemaSentence({
  account,
  migrations,
}: {
  readonly account: boolean
  readonly migrations: readonly string[]
}) {
  if (migrations.length === 0) return 'Schema up to date.'
  return account ? 'Tables made.' : `Schema brought up to date: ${migrations.join(', ')}.`
}
