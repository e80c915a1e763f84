/**
 * The longest stretch, in milliseconds, for which nobody else got a turn on this thread while `work` was done: in time
 * of the processor, so that a machine with much else to do is not taken for a stall.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let last = spent()
  const tick = () => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
  }
  const ticking = setInterval(tick, 1)
  try {
    await work()
  } finally {
    tick()
    clearInterval(ticking)
  }
  return longest
}
