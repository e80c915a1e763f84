import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { usageError } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { fileProblem } from '../process/system-problem.js'

const mediaTypes: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.heic': 'image/heic',
  '.heif': 'image/heic',
}

/**
 * The image as a data URI, declared as its name says; whether it is one, the core judges.
 * @param flag named when the file cannot be read
 */
export const imageDataUri = ({ cwd }: Pick<ProcessIO, 'cwd'>, flag: string, file: string): Promise<string> =>
  dataUriOf(flag, file, () => readFile(resolve(cwd, file)))

/** The same of a file that somebody else has named: nothing but what lies below a folder is read, or told of. */
export const imageBelow = (folder: Folder, flag: string, file: string): Promise<string> =>
  dataUriOf(flag, file, async () => {
    const path = await pathBelow(folder.path, file)
    if (path === null) throw usageError(`there is no such file below ${folder.name}.`)
    // A read of a pipe or a device may wait for ever.
    if (!(await stat(path)).isFile()) throw usageError('it is no file.')
    return readFile(path)
  })

interface Folder {
  readonly path: string
  /** As a person is told of it. */
  readonly name: string
}

/** Null where it leads out of the folder, also by a link, or nowhere: both look alike. */
async function pathBelow(folder: string, file: string): Promise<string | null> {
  const real = await Promise.all([realpath(folder), realpath(resolve(folder, file))]).catch(() => null)
  return real !== null && isBelow(...real) ? real[1] : null
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

async function dataUriOf(flag: string, file: string, read: () => Promise<Buffer>): Promise<string> {
  const mediaType = mediaTypes[extname(file).toLowerCase()]
  if (mediaType === undefined)
    throw usageError(`${flag} ${file}: the name must end with one of ${Object.keys(mediaTypes).join(', ')}.`)
  const content = await read().catch((error: unknown) => {
    throw usageError(`${flag} ${file}: ${fileProblem(error)}`)
  })
  return `data:${mediaType};base64,${content.toString('base64')}`
}

/** What a file holds, or standard input for `-`: JSON, whose meaning the core judges. */
export async function jsonFile({ cwd, stdin }: ProcessIO, flag: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(file === '-' ? await text(stdin()) : await readFile(resolve(cwd, file), 'utf8'))
  } catch (error) {
    throw usageError(`${flag} ${file}: ${fileProblem(error)}`)
  }
}
