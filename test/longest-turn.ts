/**
 * The longest time, in milliseconds, for which `work` blocked this thread. It is measured in processor time, so a busy
 * machine does not count as a stall.
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
