/** What the shell learns; scripts rely on these numbers. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  unavailable: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
