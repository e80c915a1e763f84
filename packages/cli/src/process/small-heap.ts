/** V8 by itself keeps up to 64 MB of unused buffers, whatever the size of its heap. */
const maxBufferBytes = 8 << 20

/** And on a busy machine some 30 MB of anything else: it marks what is used beside the program, and lets it go on meanwhile. */
const maxGarbageBytes = 8 << 20

let isSmall = false
/** Then V8 has other flags than at the start. */
export const isHeapSmall = (): boolean => isSmall

/** For commands that read more than memory holds: garbage is collected earlier than V8 does by itself. */
export function keepHeapSmall(): void {
  if (isSmall) return
  isSmall = true
  // Every start loads this file.
  const { getHeapStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  setFlagsFromString('--optimize-for-size')
  // Without these two an import takes a tenth more of the processor.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--expose-gc')
  const collect: (how: { readonly type: 'minor' | 'major' }) => void = runInNewContext('gc')
  let leastBytes = getHeapStatistics().used_heap_size
  setInterval(() => {
    const { external_memory, used_heap_size } = getHeapStatistics()
    leastBytes = Math.min(leastBytes, used_heap_size)
    if (used_heap_size > leastBytes + maxGarbageBytes) {
      collect({ type: 'major' })
      leastBytes = getHeapStatistics().used_heap_size
    } else if (external_memory > maxBufferBytes) collect({ type: 'minor' })
  }, 5).unref()
}

/** For the same commands: each reads a file from its beginning to its end, mostly, and opens it two to four times. */
export const smallCache = { cacheBytes: 1 << 20 } as const
