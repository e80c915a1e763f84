import { CommandError } from './command-error.js'

interface Address {
  readonly host: string
  readonly port: number
  /** The setting or options that choose the address; default: `--port` and `--host`. */
  readonly setting?: string
}

/** Why a server could not listen, in words for the person who started it. */
export function addressProblem(error: unknown, { host, port, setting }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new CommandError(
      'port_taken',
      `Port ${port} on ${host} is taken: choose another one with ${setting ?? '--port'}, or stop what listens there.`,
    )
  if (code === 'EACCES')
    return new CommandError(
      'not_allowed',
      `This user may not use port ${port}: choose one above 1023 with ${setting ?? '--port'}.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(
      'bad_address',
      `${host} is not an address of this machine: choose another one with ${setting ?? '--host'}.`,
    )
  return error
}
