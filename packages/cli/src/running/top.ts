import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { CommandError, fetchProblem } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields, table } from '../terminal/table.js'
import { watch } from '../terminal/watch.js'
import { hintOf } from '../webhooks/hints.js'
import { quantile, rate, readScrape, type Scraped, total } from './scraped.js'

export interface TopOptions {
  /** Address of the metrics; those of SAV_METRICS without it. */
  readonly metrics?: string
}

const everyMs = 2000

const requests = 'sav_http_request_duration_seconds'
const attempts = 'sav_delivery_attempts_total'

/** What a running service does right now, within 80 columns and 24 lines, until it is stopped. */
export async function top(context: Context, options: TopOptions): Promise<undefined> {
  const url = addressOf(context, options)
  const api = await context.api()
  let before = await scrape(url)
  return watch(
    context,
    async () => {
      const now = await scrape(url)
      const output = screen(context, { url, before, now, failing: await failing(api) })
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
      'Where are the metrics? --metrics http://HOST:PORT/metrics, or SAV_METRICS as `sav serve` has it.',
    )
  const { host, port } = settings.metrics
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/metrics`
}

async function scrape(url: string): Promise<Scraped> {
  const unavailable = (why: string) =>
    new CommandError('unavailable', `${url} does not tell the metrics of sav: ${why}.`)
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch((error: unknown) => {
    throw unavailable(fetchProblem(error))
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('sav_build_info')) throw unavailable(`status ${answer.status}`)
  return readScrape(text, performance.now())
}

interface Failing {
  readonly url: string
  readonly why: string
}

/** Receivers that are disabled, or whose latest delivery failed for good. */
async function failing(api: SavClient): Promise<Failing[]> {
  const query = { state: 'failed', limite: 50 } as const
  const { data: items } = await api.get('/api/v1/webhooks/livraisons', { query })
  return (await api.get('/api/v1/webhooks')).data.flatMap(({ id, url, disabled_at, disabled_reason }) => {
    if (disabled_at !== null) {
      const reason = disabled_reason ?? 'disabled'
      return { url, why: reason.startsWith('disabled') ? reason : `disabled: ${reason}` }
    }
    const failed = items.find(({ endpoint_id }) => endpoint_id === id)
    return failed === undefined ? [] : { url, why: [failed.last_error, hintOf(failed)].filter(Boolean).join('. ') }
  })
}

interface Seen {
  readonly url: string
  readonly before: Scraped
  readonly now: Scraped
  readonly failing: readonly Failing[]
}

function screen(context: Context, { url, before, now, failing }: Seen): Output {
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
    failing,
  }
  const summary = fields(terminal, [
    ['Time', `${local.at(new Date().toISOString())} (${local.timeZone}), ${url}`],
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
      `event loop p99 ${seconds(json.event_loop_p99_seconds)}, ${Math.round(json.memory_bytes / 1_048_576)} MiB, database ${json.database_up ? 'answers' : 'away'}`,
    ],
  ])
  const rows = failing.slice(0, maxFailing).map(({ url, why }) => [new URL(url).host, why])
  const failed = table(terminal, ['RECEIVER', 'WHAT IS WRONG'], rows, 'Every receiver answers.')
  const more = failing.length > maxFailing ? `\n… and ${failing.length - maxFailing} more: sav webhooks list` : ''
  return { json, text: `${summary}\n\n${failed}${more}` }
}

/** So many fit in 24 lines, each in two. */
const maxFailing = 6

const perSecond = (rate: number) => `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`

function seconds(value: number | null): string {
  if (value === null) return '-'
  if (value < 1) return `${Math.round(value * 1000)} ms`
  if (value < 10) return `${value.toFixed(1)} s`
  if (value < 120) return `${Math.round(value)} s`
  return value < 7200 ? `${Math.round(value / 60)} min` : `${Math.round(value / 3600)} h`
}
