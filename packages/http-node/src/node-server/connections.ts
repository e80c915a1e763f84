import type { Socket } from 'node:net'

/** The open connections, at most `max`: idle ones are closed for new ones. */
export interface Connections {
  /**
   * Accepts a new connection. Beyond the limit, the oldest connection without any request is closed, or else the
   * longest idle one, or else the new one.
   */
  admit(socket: Socket): void
  /** A request has arrived with complete headers; `answered` must follow. */
  asked(socket: Socket): void
  answered(socket: Socket): void
  /** Closes connections without any request yet. */
  dropSilent(): void
}

export function connections(max: number): Connections {
  /** The number of requests in progress on each connection. */
  const open = new Map<Socket, number>()
  /**
   * Connections without complete headers yet, oldest first. node:http counts them as busy, so its close waits for them.
   */
  const silent = new Set<Socket>()
  /** Other connections without a request in progress, longest idle first. */
  const idle = new Set<Socket>()

  return {
    admit(socket) {
      if (open.size >= max) {
        const [leaving] = silent.size > 0 ? silent : idle
        if (leaving === undefined) return void socket.destroy()
        forget(leaving)
        leaving.destroy()
      }
      open.set(socket, 0)
      silent.add(socket)
      socket.once('close', () => forget(socket))
    },
    asked(socket) {
      const underWay = open.get(socket)
      if (underWay === undefined) return
      open.set(socket, underWay + 1)
      idle.delete(socket)
      silent.delete(socket)
    },
    answered(socket) {
      const underWay = open.get(socket)
      if (underWay === undefined) return
      open.set(socket, underWay - 1)
      if (underWay === 1) idle.add(socket)
    },
    dropSilent() {
      for (const socket of silent) socket.destroy()
    },
  }

  function forget(socket: Socket): void {
    open.delete(socket)
    idle.delete(socket)
    silent.delete(socket)
  }
}
