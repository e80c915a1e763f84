import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

interface Longest {
  /** As the caller saw it, in milliseconds. */
  readonly seenMs: number
  /** Without the time in which caller and service were ready to run and the machine had no core for them. */
  readonly servedMs: number
}

/**
 * Calls `/healthz` again and again, in a thread of its own, as whoever attacks has large bodies to write. Linux tells how
 * long a thread has waited for a core; elsewhere both times are the same.
 */
const watching = `
  const { readFileSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  let isAsked = false
  parentPort.once('message', () => { isAsked = true })
  const waited = (path) => {
    try { return Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6 } catch { return 0 }
  }
  const bothWaited = () =>
    waited('/proc/thread-self/schedstat') + waited('/proc/' + workerData.pid + '/task/' + workerData.pid + '/schedstat')
  async function watch() {
    let [seenMs, servedMs] = [0, 0]
    while (!isAsked) {
      const [startedAt, before] = [performance.now(), bothWaited()]
      const response = await fetch(workerData.url + '/healthz')
      if (response.status !== 200) throw new Error('status ' + response.status)
      await response.arrayBuffer()
      const tookMs = performance.now() - startedAt
      seenMs = Math.max(seenMs, tookMs)
      servedMs = Math.max(servedMs, tookMs - (bothWaited() - before))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    parentPort.postMessage({ seenMs, servedMs })
  }
  watch()`

/** The longest that a call to `/healthz` took while `work` was done. */
export async function longestHealthCheck(
  service: { readonly url: string; readonly pid: number | undefined },
  work: () => Promise<unknown>,
): Promise<Longest> {
  const watch = new Worker(watching, { eval: true, workerData: service, execArgv: [] })
  const answer = once(watch, 'message')
  await Promise.race([work(), answer])
  watch.postMessage('enough')
  const [longest] = await answer
  return longest
}
