import { letterChannels } from '@sav/core/names'
import type { SavClient } from '@sav/http-node/client'
import { inAccount } from '../syntax/in-account.js'
import { counted } from '../terminal/terminal.js'
import { endpointsOf } from './receivers.js'

/** How many deliveries a retry includes, and why some of them will not be sent at once. */
export interface Outlook {
  readonly matched: number
  /** How many of the matched deliveries go to removed endpoints. A retry leaves them out. */
  readonly removed: number
  /** The ids of disabled endpoints, whose retried deliveries wait. */
  readonly disabled: readonly string[]
  /** The account of the deliveries and the endpoints. */
  readonly account: string
}

export const deliveries = (count: number) => counted(count, 'delivery', 'deliveries')

interface Matching {
  readonly account: string
  readonly matched: number
  /** How many of the matched deliveries go to other endpoints than these targets. */
  readonly outside: (targets: ReadonlySet<string>) => number
  readonly anyTo: (endpoint: string) => boolean | Promise<boolean>
}

/** Finds out what a retry would do. Without the secret key, endpoints cannot be read, and the result mentions none. */
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

/** The sentence on what is sent, then a line for removed endpoints and for each disabled one. */
export const shownOutlook = (sentence: string, { removed, disabled, account }: Outlook): string =>
  [
    sentence,
    ...(removed === 0 ? [] : [`Left out, since their endpoint was removed: ${deliveries(removed)}.`]),
    ...disabled.map(
      (id) =>
        `Endpoint ${id} is disabled: its deliveries wait until \`${inAccount(`sav webhooks enable ${id}`, account)}\`.`,
    ),
  ].join('\n')
