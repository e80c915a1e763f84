import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { contentTypeOf } from '@sav/core/adapter'
import { boundedBytes } from '../process/bounded-file.js'
import { usageError } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { fileProblem } from '../process/system-problem.js'

/**
 * Reads an image as a data URI. The media type follows from the content, not from the file's name.
 * @param flag the option that the message names if the file cannot be read, or is not an image
 */
export const imageDataUri = ({ cwd }: Pick<ProcessIO, 'cwd'>, flag: string, file: string): Promise<string> =>
  dataUriOf(flag, file, () => boundedBytes(pathNamed(cwd, file)))

/**
 * Like `imageDataUri`, for a file that an import names. Only files below `folder` are read. A refusal does not reveal
 * whether a file exists elsewhere.
 */
export const imageBelow = (folder: Folder, flag: string, file: string): Promise<string> =>
  dataUriOf(flag, file, async () => {
    const path = await pathBelow(folder.path, file)
    if (path === null) throw usageError(`there is no such file below ${folder.name}.`)
    // Pipes and devices are refused, because reading one may never end.
    if (!(await stat(path)).isFile()) throw usageError('it is not a file.')
    return boundedBytes(path)
  })

interface Folder {
  readonly path: string
  /** The folder's name in messages. */
  readonly name: string
}

/**
 * The path of a file, even if its accents are encoded differently on the disk. In file names, macOS separates a letter
 * and its accent, while most other programs combine them.
 */
const pathNamed = (folder: string, file: string): string =>
  ['NFC', 'NFD'].map((form) => resolve(folder, file.normalize(form))).find((path) => existsSync(path)) ??
  resolve(folder, file)

/**
 * The real path of a file below a folder. Null both for a path outside the folder, even through a link, and for a
 * missing file, so that the two get the same message.
 */
async function pathBelow(folder: string, file: string): Promise<string | null> {
  const real = await Promise.all([realpath(folder), realpath(pathNamed(folder, file))]).catch(() => null)
  return real !== null && isBelow(...real) ? real[1] : null
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

async function dataUriOf(flag: string, file: string, read: () => Promise<Buffer>): Promise<string> {
  const content = await read().catch((error: unknown) => {
    throw usageError(`${flag} ${file}: ${fileProblem(error)}`)
  })
  const mediaType = contentTypeOf(content)
  if (mediaType === null) throw usageError(`${flag} ${file}: its content is not a JPEG, PNG, WebP or HEIC image.`)
  return `data:${mediaType};base64,${content.toString('base64')}`
}

/** Reads the JSON of a file, or of standard input for `-`. The core checks its content. */
export async function jsonFile({ cwd, stdin }: ProcessIO, flag: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await boundedBytes(file === '-' ? stdin() : resolve(cwd, file))))
  } catch (error) {
    throw usageError(`${flag} ${file}: ${fileProblem(error)}`)
  }
}
