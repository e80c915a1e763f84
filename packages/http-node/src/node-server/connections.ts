import type { Socket } from 'node:net'

/** The open connections, at most `max`: idle ones give way to new ones. */
export interface Connections {
  /**
   * Takes a new connection in. Beyond the ceiling, the oldest connection without any request is cut off,
   * then the longest idle one, then the new one itself.
   */
  admit(socket: Socket): void
  /** A request has come through, headers complete; `answered` must follow. */
  asked(socket: Socket): void
  answered(socket: Socket): void
  /** Cuts off those without any request yet. */
  dropSilent(): void
}

export function connections(max: number): Connections {
  /** Requests under way on each connection. */
  const open = new Map<Socket, number>()
  /** Those without complete headers yet, oldest first. For node:http they are busy: a close waits. */
  const silent = new Set<Socket>()
  /** The others without a request under way, longest idle first. */
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
