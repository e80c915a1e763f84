import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { contentTypeOf } from '@sav/core/adapter'
import { boundedBytes } from '../process/bounded-file.js'
import { usageError } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { fileProblem } from '../process/system-problem.js'

/**
 * The image as a data URI, with the type of its content, whatever its name.
 * @param flag named when the file cannot be read, or is not an image
 */
export const imageDataUri = ({ cwd }: Pick<ProcessIO, 'cwd'>, flag: string, file: string): Promise<string> =>
  dataUriOf(flag, file, () => boundedBytes(pathNamed(cwd, file)))

/**
 * The same for a file that an import names: only files below `folder` are read, and a refusal reveals nothing about
 * others.
 */
export const imageBelow = (folder: Folder, flag: string, file: string): Promise<string> =>
  dataUriOf(flag, file, async () => {
    const path = await pathBelow(folder.path, file)
    if (path === null) throw usageError(`there is no such file below ${folder.name}.`)
    // A read of a pipe or a device may never end.
    if (!(await stat(path)).isFile()) throw usageError('it is not a file.')
    return boundedBytes(path)
  })

interface Folder {
  readonly path: string
  /** Its name in messages. */
  readonly name: string
}

/** In file names, macOS separates a letter and its accent, while most other programs combine them. */
const pathNamed = (folder: string, file: string): string =>
  ['NFC', 'NFD'].map((form) => resolve(folder, file.normalize(form))).find((path) => existsSync(path)) ??
  resolve(folder, file)

/** Null for a path outside the folder, even by a link, and for a missing one, so that their answers are the same. */
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

/** The JSON of a file, or for `-` of standard input; the core checks it. */
export async function jsonFile({ cwd, stdin }: ProcessIO, flag: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await boundedBytes(file === '-' ? stdin() : resolve(cwd, file))))
  } catch (error) {
    throw usageError(`${flag} ${file}: ${fileProblem(error)}`)
  }
}
