/** The exit codes; scripts rely on these numbers. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  unavailable: 5,
  /** It ended before it had finished: a fault of sav. `EX_SOFTWARE` of sysexits.h. */
  unfinished: 70,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The result of a command, for printing. */
export interface Output {
  /** Printed as JSON with `--json`. */
  readonly json: unknown
  /** Printed otherwise; `\n` only between lines. */
  readonly text: string
  /** The text is a document in which every byte counts, so nothing is filtered. */
  readonly isVerbatim?: true
  /** Printed on standard error beside JSON: the part of the text that an array cannot contain. */
  readonly beside?: string
  /** Default: done. */
  readonly exitCode?: ExitCode
}
