import { letterChannels } from '@sav/core/names'
import type { SavClient } from '@sav/http-node/client'
import { inAccount } from '../syntax/in-account.js'
import { counted } from '../terminal/terminal.js'
import { endpointsOf } from './receivers.js'

/** How many deliveries a retry includes, and what holds some of them back. */
export interface Outlook {
  readonly matched: number
  /** How many of these go to removed endpoints: a retry leaves them out. */
  readonly removed: number
  /** Endpoints where retried deliveries wait. */
  readonly disabled: readonly string[]
  /** The account of all of them. */
  readonly account: string
}

export const deliveries = (count: number) => counted(count, 'delivery', 'deliveries')

interface Matching {
  readonly account: string
  readonly matched: number
  /** How many of them go to none of these targets. */
  readonly outside: (targets: ReadonlySet<string>) => number
  readonly anyTo: (endpoint: string) => boolean | Promise<boolean>
}

/** Without the secret key, endpoints cannot be read, and are not mentioned. */
export async function outlookOf(api: SavClient, { account, matched, outside, anyTo }: Matching): Promise<Outlook> {
  const endpoints = matched === 0 ? null : await endpointsOf(api)
  if (endpoints === null) return { account, matched, removed: 0, disabled: [] }
  const disabled: string[] = []
  for (const { id, disabled_at } of endpoints) if (disabled_at !== null && (await anyTo(id))) disabled.push(id)
  return {
    account,
    matched,
    removed: outside(new Set([...endpoints.map(({ id }) => id), ...letterChannels])),
    disabled,
  }
}

/** The sentence on what is sent, and a line for everything held back. */
export const shownOutlook = (sentence: string, { removed, disabled, account }: Outlook): string =>
  [
    sentence,
    ...(removed === 0 ? [] : [`Left out, since their endpoint was removed: ${deliveries(removed)}.`]),
    ...disabled.map(
      (id) =>
        `Endpoint ${id} is disabled: its deliveries wait until \`${inAccount(`sav webhooks enable ${id}`, account)}\`.`,
    ),
  ].join('\n')
