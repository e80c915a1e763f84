import type { ProcessIO } from '../process/process-io.js'
import { terminalOf } from './terminal.js'

/** A line that rewrites itself while a command works. */
export interface ProgressLine {
  show(text: string): void
  /** Ends the line, and leaves its last text on the screen. */
  keep(): void
  /** Ends the line, and removes its text from the screen. */
  clear(): void
}

const rewrite = '\r\u001b[K'

/** A progress line on standard error. If that is not a terminal, nothing is written. */
export function progressLine({ stderr, env }: Pick<ProcessIO, 'stderr' | 'env'>): ProgressLine {
  if (!terminalOf(stderr, env).isTerminal) return { show() {}, keep() {}, clear() {} }
  return {
    show: (text) => void stderr.write(`${rewrite}${text}`),
    keep: () => void stderr.write('\n'),
    clear: () => void stderr.write(rewrite),
  }
}
