import { usageError } from '@sav/command/feature'

/** The longest line, in bytes. */
export const longestLine = 1 << 20

/**
 * Splits chunks into blocks of whole lines; the last line may be incomplete.
 * @param name for error messages
 * @throws CommandError for a line of more than 1 MB, as soon as that much has been read
 */
export async function* wholeLines(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = []
  let [bytes, line] = [0, 1]
  const check = (more: Uint8Array) => {
    for (let from = 0; from < more.length; ) {
      const end = more.indexOf(lineFeed, from)
      bytes += (end === -1 ? more.length : end) - from
      if (bytes > longestLine) throw usageError(`${name}: line ${line} is longer than ${longestLine >> 20} MB.`)
      if (end === -1) return
      ;[bytes, line, from] = [0, line + 1, end + 1]
    }
  }
  for await (const chunk of chunks) {
    check(chunk)
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (end === 0) begun.push(chunk)
    else {
      yield Buffer.concat([...begun, chunk.subarray(0, end)])
      begun = [chunk.subarray(end)]
    }
  }
  const rest = Buffer.concat(begun)
  if (rest.length > 0) yield rest
}

const lineFeed = 0x0a
