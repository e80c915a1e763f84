import { Logger, makeWorkerUtils, run, type TaskList, WorkerPreset } from 'graphile-worker'
import type { Contender } from '#contenders/contender'
import { poster, type WebhookJob, webhookJob } from '#contenders/post'
import { inFlight, usual } from '#delivering'
import { query } from '#postgres'
import { runPart, startPart } from '#processes'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      post: WebhookJob
    }
  }
}

const logger = new Logger(() => () => {})

export const graphileWorker: Contender = {
  name: 'graphile-worker',
  fill: (options) => runPart(import.meta.url, fillGraphileWorker, options),
  start: (options) => startPart(import.meta.url, workGraphileWorker, options),
  recorded: 'select count(*) as count from attempts',
}

export async function fillGraphileWorker({ database, url }: { database: string; url: string }): Promise<void> {
  await query(
    database,
    'create table attempts (job_id bigint, n int, started_at timestamptz, duration_ms int, status int, headers json, response text, primary key (job_id, n))',
  )
  const utils = await makeWorkerUtils({ connectionString: database, logger })
  await utils.migrate()
  for (let n = 0; n < usual.count; n += 1000)
    await utils.addJobs(
      Array.from({ length: 1000 }, (_, i) => ({ identifier: 'post', payload: webhookJob(url, n + i), maxAttempts: 6 })),
    )
  await utils.release()
}

/**
 * Runs the worker as its documentation recommends for heavy traffic. A finished job is deleted, so the task itself
 * records the outcome.
 */
export async function workGraphileWorker({ database }: { database: string }): Promise<void> {
  const post = poster()
  const taskList: TaskList = {
    post: async (job, { job: { id, attempts }, query }) => {
      const { status, duration_ms, response_headers, response } = await post(job)
      await query(`insert into attempts values ($1, $2, now() - $3 * interval '1 ms', $3, $4, $5, $6)`, [
        id,
        attempts,
        duration_ms,
        status,
        response_headers,
        response,
      ])
    },
  }
  await run({
    taskList,
    logger,
    preset: {
      extends: [WorkerPreset],
      worker: {
        connectionString: database,
        concurrentJobs: inFlight,
        maxPoolSize: 20,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })
}
