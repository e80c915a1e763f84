import { createUseCases } from '@sav/core'
import { kindsWith } from '@sav/core/names'
import type { EventKind } from '@sav/webhook-verify'
import { CommandError, usageError } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { type Remote, refuseRemote, remoteOf } from '../settings/remote.js'
import { passedOverSentence } from '../settings/service-links.js'
import { type LoadFeatures, readSettings, type SettingFlag } from '../settings/settings.js'
import { depsOf } from '../store/compose.js'
import { cliActor, commandCall } from '../store/local-actor.js'
import { terminalOf } from '../terminal/terminal.js'
import type { GlobalOptions, ListOptions } from './action.js'
import type { Context, FirstQuestion, OpenedStore } from './context.js'

/** The commands that report ignored settings in their log, not on standard error. */
const logging: ReadonlySet<string> = new Set(['sav serve', 'sav worker'])

/** The commands that invent data. They never use the settings of the machine's service. */
const inventing: ReadonlySet<string> = new Set(['sav demo'])

interface Invocation {
  readonly options: GlobalOptions & ListOptions
  readonly flags: readonly SettingFlag[]
  readonly command: string
  /** The feature that the command belongs to; null for the core. */
  readonly feature: string | null
  readonly features: LoadFeatures
  readonly firstQuestions: readonly FirstQuestion[]
  /** The names of the kinds of events of the command's features. */
  readonly kinds: readonly string[]
}

/** Runs a command in its context. If the command opened the store, the store is closed afterwards. */
export async function inContext<T>(
  io: ProcessIO,
  { options, flags, command, feature, features, firstQuestions, kinds }: Invocation,
  action: (context: Context) => Promise<T>,
): Promise<T> {
  const installed = inventing.has(command) ? null : io.installedSettings
  const settings = readSettings({ env: io.env, cwd: io.cwd, envFile: options.env_file, installed, flags, features })
  if (!logging.has(command)) for (const each of settings.passedOver) io.stderr.write(`${passedOverSentence(each)}\n`)
  const { account = 'default' } = options
  const startedAt = Date.now()
  let opened: ReturnType<Context['open']> | undefined
  let called: Remote | null = null

  const open: Context['open'] = async () => {
    refuseRemote(settings)
    const { openStoreForCommand } = await import('../store/store.js')
    const announce = (sentence: string) => io.stderr.write(`${sentence}\n`)
    const store = await openStoreForCommand(settings, { announce, feature })
    // A person who works on the store itself has no rate limit.
    const { operations, ...deps } = await depsOf({ ...settings, rateLimit: null }, store)
    const sav = createUseCases(deps)
    const record: OpenedStore['record'] = (tx, { account_id, target }) =>
      sav.audit.record(tx, commandCall(account_id, { command, startedAt, target }))
    return {
      storage: store.storage,
      sav,
      operations,
      record,
      perform: (account_id, write, target) => sav.perform(write, (tx) => record(tx, { account_id, target })),
    }
  }
  const context: Context = {
    ...io,
    settings,
    firstQuestions,
    async eventKinds() {
      // A remote service is assumed to have the features of this command. The cast is needed because the client's types
      // name only the kinds of our own features.
      const ofFeatures = context.remote === null ? Object.keys((await context.open()).sav.events) : kinds
      return kindsWith(ofFeatures) as EventKind[]
    },
    get remote() {
      const remote = remoteOf(settings, io)
      refuseIgnored(remote, options)
      return remote
    },
    json: options.json ?? false,
    account,
    accountGiven: options.account !== undefined,
    terminal: { ...terminalOf(io.stdout, io.env), ...(options.wide && { columns: Number.POSITIVE_INFINITY }) },
    fields: options.fields ?? null,
    open() {
      opened ??= open()
      return opened
    },
    async openAccount(account_id = account) {
      const { perform, ...opened } = await context.open()
      const { accounts, erasedAccounts } = opened.storage.reads
      if ((await accounts.find(account_id)) === null)
        throw unknownAccount(account_id, (await erasedAccounts.find(account_id)) !== null)
      return {
        ...opened,
        account_id,
        actor: cliActor(account_id),
        perform: (write, target) => perform(account_id, write, target),
      }
    },
    async api(account_id) {
      const { remote } = context
      const { apiOfService, apiOfStore } = await import('./api.js')
      if (remote === null) return apiOfStore(await context.openAccount(account_id))
      called = remote
      return apiOfService({ baseUrl: remote.url, key: remote.key })
    },
  }
  try {
    return await action(context)
  } catch (error) {
    throw called !== null && (error instanceof TypeError || error instanceof RangeError)
      ? strangeAnswer(called, error)
      : error
  } finally {
    const store = await opened?.catch(() => undefined)
    await store?.storage.close()
  }
}

/** @throws CommandError for an option that has no effect on a remote service */
function refuseIgnored(remote: Remote | null, { account, database }: GlobalOptions): void {
  if (remote === null) return
  const { url, from } = remote
  if (database !== undefined)
    throw usageError(`--database names a store, and ${from} a service (${url}): give one of them.`)
  if (account !== undefined)
    throw usageError(`--account does nothing at ${url} (${from}): a key belongs to one account.`)
}

const strangeAnswer = ({ url }: Remote, cause: Error) =>
  new CommandError(
    'unavailable',
    `${url} gave an answer that is not from sav, or is from another release (${cause.message}). Does a proxy answer in its place?`,
    { cause },
  )

function unknownAccount(name: string, isErased: boolean): CommandError {
  const shown = JSON.stringify(name)
  const text = isErased
    ? `The account ${shown} was erased, and its name cannot be used again: \`sav accounts list --erased\` shows when.`
    : `No account ${shown}: \`sav accounts list\` shows all accounts, \`sav accounts add ${name}\` adds this one.`
  return new CommandError('account_not_found', text)
}
