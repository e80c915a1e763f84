import { readFileSync } from 'node:fs'

/**
 * The most memory that this process used, in KB. On Linux, `process.resourceUsage()` reports at least the memory of the
 * process that started this one.
 */
export function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
