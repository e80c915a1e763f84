import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

interface Longest {
  /** The longest time that a call took for the caller, in milliseconds. */
  readonly seenMs: number
  /**
   * The longest time that other work of the service delayed a call, in milliseconds. For each call, this is the smaller
   * of two times: how long the service's thread ran, and how long the call took without the time in which caller and
   * service waited for a core.
   */
  readonly heldUpMs: number
}

/**
 * Calls `/healthz` again and again in its own thread, since this one is busy with writing large bodies. Linux reports
 * how long a thread has run and has waited for a core; on other systems both results are the duration of the call.
 */
const watching = `
  const { readFileSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  let isAsked = false
  parentPort.once('message', () => { isAsked = true })
  const isLinux = process.platform === 'linux'
  const timesOf = (thread) => readFileSync('/proc/' + thread + '/schedstat', 'utf8').split(' ').map((ns) => ns / 1e6)
  function times() {
    if (!isLinux) return { ran: 0, waited: 0 }
    const [, waited] = timesOf('thread-self')
    const [ran, itWaited] = timesOf(workerData.pid + '/task/' + workerData.pid)
    return { ran, waited: waited + itWaited }
  }
  async function watch() {
    let [seenMs, heldUpMs] = [0, 0]
    while (!isAsked) {
      const [startedAt, before] = [performance.now(), times()]
      const response = await fetch(workerData.url + '/healthz')
      if (response.status !== 200) throw new Error('status ' + response.status)
      await response.arrayBuffer()
      const tookMs = performance.now() - startedAt
      seenMs = Math.max(seenMs, tookMs)
      const after = times()
      const ranMs = isLinux ? after.ran - before.ran : tookMs
      heldUpMs = Math.max(heldUpMs, Math.min(ranMs, tookMs - (after.waited - before.waited)))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    parentPort.postMessage({ seenMs, heldUpMs })
  }
  watch()`

/** The longest times of a call to `/healthz` while `work` was done. */
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
