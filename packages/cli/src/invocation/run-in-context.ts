import { compose } from '../running/compose.js'
import { readSettings, type SettingFlag } from '../settings/settings.js'
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
  let opened: ReturnType<Context['open']> | undefined

  const open = async () => {
    if (settings.remote !== null)
      throw usageError(`This command works on a store, and not on a service: unset SAV_URL (${settings.remote.url}).`)
    const { openStore } = await import('../installation/store.js')
    const store = await openStore(settings)
    return { storage: store.storage, sav: compose(settings, store) }
  }
  const context: Context = {
    ...io,
    settings,
    json: options.json ?? false,
    account: options.account,
    terminal: terminalOf(io.stdout, io.env),
    open() {
      opened ??= open()
      return opened
    },
    async openAccount() {
      const { sav, storage } = await context.open()
      if ((await storage.reads.accounts.find(options.account)) === null) throw unknownAccount(options.account)
      return { sav, storage, account_id: options.account, actor: cliActor(options.account) }
    },
  }
  try {
    return await action(context)
  } finally {
    const store = await opened?.catch(() => undefined)
    await store?.storage.close()
  }
}

function unknownAccount(name: string): CommandError {
  return new CommandError(
    'account_not_found',
    `No account ${JSON.stringify(name)}: \`sav accounts list\` shows them, \`sav accounts add ${name}\` adds one.`,
    { exitCode: exitCodes.notFound },
  )
}
