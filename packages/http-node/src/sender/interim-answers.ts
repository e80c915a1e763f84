import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/**
 * Skips a `100 Continue` that was not requested (RFC 9110 §15.2). undici skips every other 1xx, but considers a 100 a
 * bad answer, so its sockets present it as a 102.
 */
export const passingOverContinue =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      readContinueAs102(socket)
      callback(null, socket)
    })

function readContinueAs102(socket: Socket): void {
  const heads = new InterimHeads()
  const { push, write } = socket
  Object.assign(socket, {
    // A connection carries one request at a time: after a write, its answer begins.
    write(data: Buffer | string, encoding?: BufferEncoding, written?: () => void) {
      heads.begin()
      return write.call(socket, data, encoding, written)
    },
    push(chunk: Buffer | null) {
      if (chunk !== null) heads.read(chunk)
      return push.call(socket, chunk)
    },
  })
}

/** `x` is any byte. */
const interimStatus = Buffer.from('HTTP/1.x 1xx')
const anyByte = 'x'.charCodeAt(0)
const [zero, one, two] = [...Buffer.from('012')]
const endOfHead = Buffer.from('\r\n\r\n')

/** Finds the heads of interim answers before an answer, however the bytes are split, and turns each 100 into a 102. */
class InterimHeads {
  #part: 'status' | 'fields' | 'answer' = 'answer'
  /** How many bytes of the status, or of the end of the head, were matched. */
  #matched = 0
  /** The previous byte of the status. */
  #before: number | undefined

  begin(): void {
    this.#part = 'status'
    this.#matched = 0
  }

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#part !== 'answer'; at += 1) {
      if (this.#part === 'status') this.#readStatus(chunk, at)
      else this.#readFields(chunk[at])
    }
  }

  #readStatus(chunk: Buffer, at: number): void {
    const byte = chunk[at]
    const expected = interimStatus[this.#matched]
    if (expected !== anyByte && byte !== expected) {
      this.#part = 'answer'
      return
    }
    this.#matched += 1
    if (this.#matched === interimStatus.length) {
      const isContinue = this.#before === zero && byte === zero
      if (isContinue && two !== undefined) chunk[at] = two
      // After a 101, the connection no longer carries HTTP.
      this.#part = this.#before === zero && byte === one ? 'answer' : 'fields'
      this.#matched = 0
    }
    this.#before = byte
  }

  #readFields(byte: number | undefined): void {
    if (byte === endOfHead[this.#matched]) this.#matched += 1
    else this.#matched = byte === endOfHead[0] ? 1 : 0
    if (this.#matched === endOfHead.length) this.begin()
  }
}
