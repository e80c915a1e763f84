import { PgBoss } from 'pg-boss'
import type { Contender } from '#contenders/contender'
import { poster, type WebhookJob, webhookJob } from '#contenders/post'
import { usual } from '#delivering'
import { runPart, startPart } from '#processes'

const queue = 'webhooks'

export const pgBoss: Contender = {
  name: 'pg-boss',
  fill: (options) => runPart(import.meta.url, fillPgBoss, options),
  start: (options) => startPart(import.meta.url, workPgBoss, options),
  recorded: "select count(*) as count from pgboss.job where state = 'completed'",
}

export async function fillPgBoss({ database, url }: { database: string; url: string }): Promise<void> {
  const boss = new PgBoss(database)
  await boss.start()
  await boss.createQueue(queue, { retryLimit: 5, retryDelay: 30, retryBackoff: true, retryDelayMax: 21_600 })
  for (let n = 0; n < usual.count; n += 1000)
    await boss.insert(
      queue,
      Array.from({ length: 1000 }, (_, i) => ({ data: webhookJob(url, n + i) })),
    )
  await boss.stop()
}

/**
 * Runs pg-boss as its documentation recommends for heavy traffic: batches, several workers, the next batch at once, a
 * result for each job.
 */
export async function workPgBoss({ database }: { database: string }): Promise<void> {
  const boss = new PgBoss(database)
  boss.on('error', console.error)
  await boss.start()
  const post = poster()
  const options = {
    batchSize: 64,
    localConcurrency: 4,
    burstWhenBatchFull: true,
    perJobResults: true,
    pollingIntervalSeconds: 0.5,
  } as const
  await boss.work<WebhookJob>(queue, options, (jobs) =>
    Promise.all(
      jobs.map(({ id, data }) =>
        post(data).then(
          (output) => ({ id, status: 'completed' as const, output }),
          (error: unknown) => ({ id, status: 'failed' as const, output: { message: String(error) } }),
        ),
      ),
    ),
  )
}
