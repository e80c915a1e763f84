import { compose } from '../running/compose.js'
import { refuseRemote } from '../settings/remote.js'
import { readSettings, type SettingFlag, type Settings } from '../settings/settings.js'
import { terminalOf } from '../terminal/terminal.js'
import type { GlobalOptions } from './action.js'
import { CommandError, usageError } from './command-error.js'
import { type Context, cliActor } from './context.js'
import { exitCodes } from './exit-codes.js'
import type { ProcessIO } from './process-io.js'

interface Given {
  readonly options: GlobalOptions
  readonly flags: readonly SettingFlag[]
}

/** Gives a command its context, and closes what it opened. */
export async function inContext<T>(
  io: ProcessIO,
  { options, flags }: Given,
  action: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings({ env: io.env, cwd: io.cwd, flags })
  refuseIgnored(settings, options)
  const { account = 'default' } = options
  let opened: ReturnType<Context['open']> | undefined

  const open = async () => {
    refuseRemote(settings)
    const { openStoreForCommand } = await import('../installation/store.js')
    const store = await openStoreForCommand(settings, (sentence) => io.stderr.write(`${sentence}\n`))
    return { storage: store.storage, sav: compose(settings, store) }
  }
  const context: Context = {
    ...io,
    settings,
    json: options.json ?? false,
    account,
    terminal: terminalOf(io.stdout, io.env),
    open() {
      opened ??= open()
      return opened
    },
    async openAccount() {
      const { sav, storage } = await context.open()
      if ((await storage.reads.accounts.find(account)) === null) throw unknownAccount(account)
      return { sav, storage, account_id: account, actor: cliActor(account) }
    },
  }
  try {
    return await action(context)
  } finally {
    const store = await opened?.catch(() => undefined)
    await store?.storage.close()
  }
}

/** @throws CommandError for what a service at SAV_URL would not hear of */
function refuseIgnored({ remote }: Settings, { account, database }: GlobalOptions): void {
  if (remote === null) return
  if (database !== undefined)
    throw usageError(`--database names a store, and SAV_URL a service (${remote.url}): say one of them.`)
  if (account !== undefined)
    throw usageError(
      `--account does nothing at ${remote.url} (SAV_URL): the key in SAV_API_KEY belongs to one account.`,
    )
}

function unknownAccount(name: string): CommandError {
  return new CommandError(
    'account_not_found',
    `No account ${JSON.stringify(name)}: \`sav accounts list\` shows them, \`sav accounts add ${name}\` adds one.`,
    { exitCode: exitCodes.notFound },
  )
}
