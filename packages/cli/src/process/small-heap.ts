/** V8 by itself keeps up to 64 MB of unused buffers, whatever the size of its heap. */
const maxBufferBytes = 8 << 20

let isSmall = false
/** Then V8 has other flags than at the start. */
export const isHeapSmall = (): boolean => isSmall

/**
 * For commands that read more than memory holds: garbage is collected earlier than V8 does by itself. An import of 105,000
 * rows takes at most 150 MB. One of 25,000 takes 246 MB without this, and 121 MB with it.
 */
export function keepHeapSmall(): void {
  if (isSmall) return
  isSmall = true
  // Every start loads this file.
  const { getHeapStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  setFlagsFromString('--optimize-for-size')
  // Without these two that import takes a tenth more of the processor.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=10')
  // With the optimizing compiler that import takes a twentieth less time, and 13 MB more.
  setFlagsFromString('--no-opt')
  setFlagsFromString('--expose-gc')
  const collect: (how: { readonly type: 'minor' }) => void = runInNewContext('gc')
  setInterval(() => {
    if (getHeapStatistics().external_memory > maxBufferBytes) collect({ type: 'minor' })
  }, 5).unref()
}

/** For the same commands: each reads a file from its beginning to its end, mostly, and opens it two to four times. */
export const smallCache = { cacheBytes: 1 << 20 } as const
