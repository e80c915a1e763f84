import { open } from 'node:fs/promises'
import { CommandError, usageError } from './command-error.js'
import { fileProblem } from './system-problem.js'

/**
 * The text of a file, without the mark of its encoding that some editors write.
 * @param flag of the command, for what is wrong with the file
 * @throws CommandError for a file that cannot be read, or has more than `maxBytes`, as soon as so much of it has come
 */
export async function boundedText(
  path: string,
  { flag, maxBytes }: { flag: string; maxBytes: number },
): Promise<string> {
  const problem = (what: string) => usageError(`${flag} ${path}: ${what}`)
  const handle = await open(path).catch((error: unknown) => {
    throw problem(fileProblem(error))
  })
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      bytes += chunk.length
      if (bytes > maxBytes) throw problem(`it has more than ${maxBytes >> 20} MiB.`)
      chunks.push(chunk)
    }
    return new TextDecoder().decode(Buffer.concat(chunks))
  } catch (error) {
    throw error instanceof CommandError ? error : problem(fileProblem(error))
  } finally {
    await handle.close()
  }
}
