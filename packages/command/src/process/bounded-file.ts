import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { usageError } from './command-error.js'
import { fileProblem } from './system-problem.js'

/** The default limit, in bytes: larger than any photo, or any list written by hand. */
const mostBytes = 16 << 20

/**
 * The content of a file, or of standard input.
 * @throws CommandError as soon as the content exceeds `maxBytes`; the message is worded as the end of a sentence about
 *   the file
 */
export async function boundedBytes(from: string | Readable, maxBytes = mostBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of typeof from === 'string' ? createReadStream(from) : from) {
    bytes += chunk.length
    if (bytes > maxBytes) throw usageError(`it has more than ${maxBytes >> 20} MiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The limit for a file of settings, keys or certificates, in bytes: larger than any real one. */
const mostSettingBytes = 1 << 20

/**
 * The content of a file of settings, keys or certificates.
 * @throws CommandError for a longer file, such as `/dev/zero`; the message is worded as the end of a sentence about the
 *   file
 */
export function settingBytes(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(mostSettingBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, { offset: length })
    if (length > mostSettingBytes) throw usageError(`it has more than ${mostSettingBytes >> 20} MiB.`)
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/**
 * The text of a file, without a byte order mark.
 * @param flag the option that names the file, for the error message
 * @throws CommandError for a file that cannot be read, or exceeds `maxBytes`
 */
export async function boundedText(
  path: string,
  { flag, maxBytes }: { flag: string; maxBytes: number },
): Promise<string> {
  const bytes = await boundedBytes(path, maxBytes).catch((error: unknown) => {
    throw usageError(`${flag} ${path}: ${fileProblem(error)}`)
  })
  return new TextDecoder().decode(bytes)
}
