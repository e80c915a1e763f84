import type { Context } from '../invocation/context.js'
import { CommandError, fetchProblem } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { shortShare, storedThings } from '../store/free-space.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { fields, table } from '../terminal/table.js'
import { watch } from '../terminal/watch.js'
import { type EndpointRow, everyReceiver, type Receiver, worstFirst } from '../webhooks/every-receiver.js'
import { hintOfHealth, wordsOnHealth } from '../webhooks/health.js'
import { has, quantile, rate, readScrape, type Scrape, total } from './scraped.js'

export interface TopOptions {
  /** The address of the metrics; default: that of SAV_METRICS. */
  readonly metrics?: string
}

const everyMs = 2000

const requests = 'sav_http_request_duration_seconds'
const attempts = 'sav_delivery_attempts_total'

/** Shows the current work of a running service, within 80 columns and 24 lines, until the command is stopped. */
export async function top(context: Context, options: TopOptions): Promise<undefined> {
  const url = addressOf(context, options)
  const local = peopleTime(context)
  let before = await scrape(url)
  return watch(
    context,
    async () => {
      const now = await scrape(url)
      const output = screen(context, { url, before, now, failing: await failing(context, local) })
      before = now
      return output
    },
    { everyMs },
  )
}

function addressOf({ settings }: Context, { metrics }: TopOptions): string {
  if (metrics !== undefined) return metrics
  if (settings.metrics === null)
    throw new CommandError(
      'no_metrics',
      'The address of the metrics is missing: give --metrics http://HOST:PORT/metrics, or SAV_METRICS as for `sav serve`.',
    )
  const { host, port } = settings.metrics
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/metrics`
}

async function scrape(url: string): Promise<Scrape> {
  const unavailable = (why: string) =>
    new CommandError('unavailable', `${url} does not serve the metrics of sav: ${why}.`)
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch((error: unknown) => {
    throw unavailable(fetchProblem(error))
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('sav_build_info')) throw unavailable(`status ${answer.status}`)
  return readScrape(text, performance.now())
}

interface FailingReceiver {
  /** The receiver's account, if receivers of all accounts are shown. */
  readonly account?: string
  readonly url: string
  readonly why: string
}

/** Receivers that are not ok, worst first. */
async function failing(context: Context, local: PeopleTime): Promise<FailingReceiver[]> {
  return (await receiversOf(context))
    .filter(({ sante }) => sante.etat !== 'ok')
    .sort(worstFirst)
    .map((endpoint) => ({
      ...('account_id' in endpoint && { account: endpoint.account_id }),
      url: endpoint.url,
      why: whyOf(endpoint, { local, account: 'account_id' in endpoint ? endpoint.account_id : context.account }),
    }))
}

/**
 * The receivers of every account of the store, or of the account that was named. For a service, those of the API key's
 * account.
 */
async function receiversOf(context: Context): Promise<readonly (EndpointRow | Receiver)[]> {
  if (context.remote === null && !context.accountGiven) return everyReceiver((await context.open()).storage)
  return (await (await context.api()).get('/api/v1/webhooks')).data
}

function whyOf(
  { disabled_at, disabled_reason, sante }: EndpointRow,
  { local, account }: { readonly local: PeopleTime; readonly account: string },
): string {
  if (disabled_at === null)
    return [wordsOnHealth(sante, local.at), hintOfHealth({ sante }, account)].filter(Boolean).join('. ')
  const reason = disabled_reason ?? 'disabled'
  return reason.startsWith('disabled') ? reason : `disabled: ${reason}`
}

interface TopView {
  readonly url: string
  readonly before: Scrape
  readonly now: Scrape
  readonly failing: readonly FailingReceiver[]
}

function screen(context: Context, { url, before, now, failing }: TopView): Output {
  const { terminal } = context
  const local = peopleTime(context)
  const p99 = quantile(before, now, { name: requests, share: 0.99 })
  const json = {
    calls_per_second: rate(before, now, { name: `${requests}_count` }),
    p99_seconds: p99,
    refusals_per_second: rate(before, now, { name: 'sav_http_refusals_total' }),
    delivered_per_second: rate(before, now, { name: attempts, labels: { outcome: 'delivered' } }),
    failed_attempts_per_second:
      rate(before, now, { name: attempts }) - rate(before, now, { name: attempts, labels: { outcome: 'delivered' } }),
    in_flight: total(now, 'sav_delivery_attempts_in_flight'),
    pending: total(now, 'sav_deliveries', { state: 'pending' }),
    failed: total(now, 'sav_deliveries', { state: 'failed' }),
    oldest_due_seconds: total(now, 'sav_delivery_oldest_due_age_seconds'),
    event_loop_p99_seconds: total(now, 'nodejs_eventloop_lag_p99_seconds'),
    memory_bytes: total(now, 'process_resident_memory_bytes'),
    database_up: total(now, 'sav_database_up') === 1,
    // A service of an earlier release has no metric `sav_ready`, and counts as ready.
    ready: !has(now, 'sav_ready') || total(now, 'sav_ready') === 1,
    letters_waiting: total(now, 'sav_letters_waiting'),
    short_of_space: shortOfSpace(now),
    last_backup_seconds: has(now, backup) ? Date.now() / 1000 - total(now, backup) : null,
    failing,
  }
  const summary = fields(terminal, [
    ['Time', `${local.zoned(new Date().toISOString())}, ${url}`],
    [
      'API',
      `${perSecond(json.calls_per_second)} calls, p99 ${seconds(p99)}, ${perSecond(json.refusals_per_second)} refused`,
    ],
    [
      'Sending',
      `${perSecond(json.delivered_per_second)} delivered, ${perSecond(json.failed_attempts_per_second)} failed attempts`,
    ],
    [
      'Waiting',
      `${json.in_flight} in flight, ${json.pending} pending, oldest due for ${seconds(json.oldest_due_seconds)}, ${json.failed} failed for good`,
    ],
    [
      'Process',
      `event loop p99 ${seconds(json.event_loop_p99_seconds)}, ${Math.round(json.memory_bytes / 1_048_576)} MiB, database ${json.database_up ? 'up' : 'down'}`,
    ],
    ['Store', storeWords(json)],
  ])
  const rows = failing
    .slice(0, maxFailing)
    .map(({ account, url, why }) => [...(account === undefined ? [] : [account]), new URL(url).host, why])
  const accounts = failing.some(({ account }) => account !== undefined) ? ['ACCOUNT'] : []
  const failed = table(terminal, [...accounts, 'RECEIVER', 'WHAT IS WRONG'], rows, 'Every receiver answers.')
  const list = accounts.length === 0 ? 'sav webhooks list' : 'sav webhooks health --all-accounts'
  const more = failing.length > maxFailing ? `\n… and ${failing.length - maxFailing} more: ${list}` : ''
  return { json, text: `${summary}\n\n${failed}${more}` }
}

const backup = 'sav_last_backup_timestamp_seconds'

const shortOfSpace = (now: Scrape): string[] =>
  storedThings.filter(
    (path) =>
      has(now, 'sav_free_bytes', { path }) &&
      total(now, 'sav_free_bytes', { path }) <= shortShare * total(now, 'sav_size_bytes', { path }),
  )

interface StoreStatus {
  readonly ready: boolean
  readonly short_of_space: readonly string[]
  readonly last_backup_seconds: number | null
  readonly letters_waiting: number
}

function storeWords({ ready, short_of_space, last_backup_seconds, letters_waiting }: StoreStatus): string {
  const backup =
    last_backup_seconds === null || last_backup_seconds > 1e9
      ? 'no backup'
      : `backup ${seconds(last_backup_seconds)} ago`
  const space = short_of_space.length === 0 ? 'enough space' : `NO SPACE for ${short_of_space.join(', ')}`
  return `${ready ? 'ready' : 'NOT READY: sav doctor'}, ${space}, ${backup}, ${letters_waiting === 1 ? '1 letter waits' : `${letters_waiting} letters wait`}`
}

/** The most failing receivers that fit in 24 lines; each takes two lines. */
const maxFailing = 6

const perSecond = (rate: number) => `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`

function seconds(value: number | null): string {
  if (value === null) return '-'
  if (value < 1) return `${Math.round(value * 1000)} ms`
  if (value < 10) return `${value.toFixed(1)} s`
  if (value < 120) return `${Math.round(value)} s`
  return value < 7200 ? `${Math.round(value / 60)} min` : `${Math.round(value / 3600)} h`
}
