/** The exit codes; scripts rely on these numbers. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  unavailable: 5,
  /** The process ended before the command had finished, which is a fault of sav. `EX_SOFTWARE` of sysexits.h. */
  unfinished: 70,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The result of a command, for printing. */
export interface Output {
  /** Printed as JSON with `--json`. */
  readonly json: unknown
  /** Printed without `--json`. It has `\n` only between lines, not at its end. */
  readonly text: string
  /** The text is a document in which every byte counts, so no control characters are removed from it. */
  readonly isVerbatim?: true
  /** With `--json`, printed on standard error: the part of the text that a JSON array cannot contain. */
  readonly beside?: string
  /** Default: `exitCodes.done`. */
  readonly exitCode?: ExitCode
}
