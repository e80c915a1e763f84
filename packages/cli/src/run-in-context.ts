import { CommandError, usageError } from './command-error.js'
import { composeWithoutWorker } from './compose.js'
import type { Context } from './context.js'
import { exitCodes } from './exit-codes.js'
import { readSettings, type SettingFlag } from './settings.js'
import { terminalOf } from './terminal.js'
import type { GlobalOptions, World } from './world.js'

interface Given {
  readonly options: GlobalOptions
  readonly flags: readonly SettingFlag[]
}

/** Gives a command its context, and closes what it opened. */
export async function inContext<T>(
  world: World,
  { options, flags }: Given,
  action: (context: Context) => Promise<T>,
): Promise<T> {
  const settings = readSettings({ env: world.env, cwd: world.cwd, flags })
  let opened: ReturnType<Context['open']> | undefined

  const open = async () => {
    if (settings.remote !== null)
      throw usageError(`This command works on a store, and not on a service: unset SAV_URL (${settings.remote.url}).`)
    const { openStore } = await import('./store.js')
    const store = await openStore(settings)
    return { storage: store.storage, sav: composeWithoutWorker(settings, store) }
  }
  const context: Context = {
    ...world,
    settings,
    json: options.json ?? false,
    account: options.account,
    terminal: terminalOf(world.stdout, world.env),
    open() {
      opened ??= open()
      return opened
    },
    async openAccount() {
      const { sav, storage } = await context.open()
      if ((await storage.accounts.find(options.account)) === null) throw unknownAccount(options.account)
      return { sav, storage, account_id: options.account }
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
