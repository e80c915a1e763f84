import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

interface Longest {
  /** As seen by the caller, in milliseconds. */
  readonly seenMs: number
  /**
   * The longest time that the service did something else: neither longer than its thread had a core meanwhile, nor than the call
   * took without the time in which caller and service were ready to run and the machine had no core for them.
   */
  readonly heldUpMs: number
}

/**
 * Calls `/healthz` again and again, in a thread of its own, as an attacker has large bodies to write. Linux tells how
 * long a thread has had a core, and waited for one; elsewhere both times are the same.
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
