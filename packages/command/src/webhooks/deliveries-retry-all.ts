import type { ReplayInput } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import { inAccountsWithEndpoints } from '../invocation/all-accounts.js'
import type { Context } from '../invocation/context.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { confirm } from '../terminal/confirmation.js'
import { counted } from '../terminal/terminal.js'
import { outlookOfMatching, retryMatching, wouldRetry } from './retry-matching.js'
import { deliveries, type Outlook } from './retry-outlook.js'

interface Matching {
  readonly api: SavClient
  readonly outlook: Outlook
}

/** Sends the matching deliveries of every account again, one account after the other. */
export async function retryInAllAccounts(
  context: Context,
  filter: ReplayInput,
  { dry_run, yes }: { readonly dry_run: boolean; readonly yes: boolean | undefined },
): Promise<Output> {
  const matching: Matching[] = []
  for await (const { account, api } of inAccountsWithEndpoints(context)) {
    const outlook = await outlookOfMatching(api, account, filter)
    if (outlook.matched > 0) matching.push({ api, outlook })
  }
  const count = matching.reduce((sum, { outlook }) => sum + outlook.matched - outlook.removed, 0)
  if (!dry_run && count > 0) {
    const what = `${deliveries(count)} of ${counted(matching.length, 'account')}`
    await confirm(context, { yes, question: `Send ${what} again?` })
  }
  const outputs: (readonly [account: string, output: Output])[] = []
  for (const { api, outlook } of matching) {
    const isSent = !dry_run && outlook.matched > outlook.removed
    const output = isSent ? await retryMatching(context, api, { filter, outlook }) : wouldRetry(outlook)
    outputs.push([outlook.account, output])
    if (output.exitCode === exitCodes.interrupted) break
  }
  return {
    json: outputs.map(([account, { json }]) => ({ account, ...Object(json) })),
    text:
      outputs.map(([account, { text }]) => `${account}: ${text}`).join('\n') || 'No delivery matches in any account.',
    exitCode: outputs.find(([, { exitCode }]) => exitCode !== undefined)?.[1].exitCode ?? exitCodes.done,
  }
}
