/** What the shell learns; scripts rely on these numbers. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  unavailable: 5,
  /** It ended before it had finished, which is a fault of sav. `EX_SOFTWARE` of sysexits.h. */
  unfinished: 70,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What a command gives back to be printed. */
export interface Output {
  /** Printed as JSON with `--json`. */
  readonly json: unknown
  /** Printed without it; lines end with `\n` between them only. */
  readonly text: string
  /** The text is a document, of which every byte counts: nothing in it is filtered. */
  readonly isVerbatim?: true
  /** Said on standard error where JSON is printed: what the text has, and an array has not. */
  readonly beside?: string
  /** Default: done. */
  readonly exitCode?: ExitCode
}
