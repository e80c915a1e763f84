import { readFileSync } from 'node:fs'

/**
 * The most memory that this process had, in KB. What `process.resourceUsage()` tells is on Linux at least what the process
 * had that started this one.
 */
export function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
