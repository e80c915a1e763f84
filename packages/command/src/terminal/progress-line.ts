import type { ProcessIO } from '../process/process-io.js'
import { terminalOf } from './terminal.js'

/** A line that rewrites itself while a command works. */
export interface ProgressLine {
  show(text: string): void
  /** Ends it, leaving the last text. */
  keep(): void
  /** Ends it without a trace. */
  clear(): void
}

const rewrite = '\r\u001b[K'

/** On standard error, and only at a terminal. */
export function progressLine({ stderr, env }: Pick<ProcessIO, 'stderr' | 'env'>): ProgressLine {
  if (!terminalOf(stderr, env).isTerminal) return { show() {}, keep() {}, clear() {} }
  return {
    show: (text) => void stderr.write(`${rewrite}${text}`),
    keep: () => void stderr.write('\n'),
    clear: () => void stderr.write(rewrite),
  }
}
