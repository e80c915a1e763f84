import { hintOfFailure } from '@sav/core/adapter'
import { type AllAccounts, refuseOneAccount } from '../invocation/all-accounts.js'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { inAccount } from '../syntax/in-account.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { type ColouredText, fields, stateCell, table } from '../terminal/table.js'
import { type EndpointRow, everyReceiver } from './every-receiver.js'

/** Shows the health of one endpoint, or of all. */
export async function endpointHealth(context: Context, id: string | undefined, options: AllAccounts): Promise<Output> {
  if (options.all_accounts) return healthOfAll(context, id)
  const api = await context.api()
  if (id === undefined) {
    const { data } = await api.get('/api/v1/webhooks')
    return { json: data.map(named), text: tableOf(context, data) }
  }
  const params = { endpoint: id }
  const { data: endpoint } = await api.get('/api/v1/webhooks/{endpoint}', { params })
  const { sante } = (await api.get('/api/v1/webhooks/{endpoint}/activite', { params })).data
  const one = { ...endpoint, sante }
  return { json: named(one), text: described(context, one) }
}

async function healthOfAll(context: Context, id: string | undefined): Promise<Output> {
  if (id !== undefined) throw usageError('Give an endpoint or --all-accounts, not both.')
  refuseOneAccount(context)
  const receivers = await everyReceiver((await context.open()).storage)
  return {
    json: receivers.map((receiver) => ({ account: receiver.account_id, ...named(receiver) })),
    text: tableOf(context, receivers),
  }
}

const named = ({ id, url, sante }: EndpointRow) => ({ id, url, sante })

/** A table of endpoints with their health. It has a column for the account if the endpoints have one. */
function tableOf(context: Context, endpoints: readonly (EndpointRow & { readonly account_id?: string })[]): string {
  const local = peopleTime(context)
  const rows = endpoints.map((endpoint) => {
    const { id, url, sante, account_id } = endpoint
    return [
      id,
      ...(account_id === undefined ? [] : [account_id]),
      healthCell(endpoint),
      ageOf(local, sante.depuis),
      sante.echecs_consecutifs,
      percent(sante.part_reussie),
      sante.en_attente,
      ageOf(local, sante.plus_ancien),
      answerOf(endpoint),
      url,
    ]
  })
  const spare = (head: string) => ({ head, spare: true })
  const counts = [spare('FAILURES'), spare('LAST HOUR'), 'WAITING', spare('OLDEST DUE')]
  const accounts = endpoints.some(({ account_id }) => account_id !== undefined) ? ['ACCOUNT'] : []
  const headings = ['ID', ...accounts, 'STATE', spare('SINCE'), ...counts, 'LAST ANSWER', 'URL']
  return table(context.terminal, headings, rows, noEndpoint(context))
}

/** The text that is printed if an account has no endpoint. */
export const noEndpoint = ({ account }: Pick<Context, 'account'>) =>
  `No endpoint yet: add one with \`${inAccount('sav webhooks add URL', account)}\`.`

function described(context: Context, endpoint: EndpointRow): string {
  const local = peopleTime(context)
  const { sante } = endpoint
  const { derniere_reponse: last } = sante
  return fields(context.terminal, [
    ['Endpoint', endpoint.id],
    ['URL', endpoint.url],
    ['State', sante.etat],
    ['Since', sante.depuis && local.zoned(sante.depuis)],
    ['Reason', endpoint.disabled_reason],
    ['Last answer', last && `${answerOf(endpoint)}, ${local.at(last.date)}`],
    ['Likely', hintOfHealth(endpoint, context.account)],
    ['Failures', `${sante.echecs_consecutifs} in a row`],
    ['Last hour', sante.part_reussie === null ? 'no attempt' : `${percent(sante.part_reussie)} succeeded`],
    ['Waiting', sante.en_attente],
    ['Oldest due', ageOf(local, sante.plus_ancien)],
  ])
}

const ageOf = (local: PeopleTime, instant: string | null) => instant && local.ageOf(instant)

const percent = (share: number | null) => (share === null ? null : `${Math.floor(share * 100)} %`)

export function answerOf({ sante: { derniere_reponse: last } }: Pick<EndpointRow, 'sante'>): string | null {
  return last && (last.erreur ?? String(last.statut))
}

/** What to do about an endpoint's last answer; null if it was a success. */
export const hintOfHealth = (
  { sante: { derniere_reponse: last } }: Pick<EndpointRow, 'sante'>,
  account: string,
): string | null => (last?.code ? hintIn(account, last.code) : null)

/** The likely cause of a failure, by its code. Commands in the text name the account. */
export const hintIn = (account: string, code: string): string | null =>
  hintOfFailure(code)?.replace(/sav webhooks (?:retry|show|update ID|enable ID)/g, (command) =>
    inAccount(command, account),
  ) ?? null

/** Describes an unhealthy endpoint: `has failed since 2026-01-15 11:12:04 (connection refused; 87 wait)`. */
export function wordsOnHealth(
  { etat, depuis, derniere_reponse: last, en_attente }: EndpointRow['sante'],
  at: (instant: string) => string | null,
): string {
  const verb = etat === 'ralenti' ? 'has failed half of the time' : 'has failed'
  const since = depuis === null ? '' : ` since ${at(depuis)}`
  return `${verb}${since} (${last?.erreur ?? last?.statut ?? 'no answer yet'}; ${en_attente} wait)`
}

/** Says that an endpoint is disabled, and why; null if it is not. */
export const disabledCell = ({ disabled_at, disabled_reason }: Pick<EndpointRow, 'disabled_at' | 'disabled_reason'>) =>
  disabled_at === null ? null : `desactive: ${disabled_reason ?? disabled_at}`

/**
 * The state of an endpoint. A service of an earlier release sends no `sante`: then it is `-`, unless the endpoint is
 * disabled.
 */
export const healthCell = ({ sante, ...endpoint }: Omit<EndpointRow, 'sante'> & Partial<EndpointRow>): ColouredText =>
  stateCell(disabledCell(endpoint) ?? sante?.etat ?? '-')
