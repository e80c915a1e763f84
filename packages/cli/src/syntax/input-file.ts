import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
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
export async function imageDataUri({ cwd }: ProcessIO, flag: string, file: string): Promise<string> {
  const mediaType = mediaTypes[extname(file).toLowerCase()]
  if (mediaType === undefined)
    throw usageError(`${flag} ${file}: the name must end with one of ${Object.keys(mediaTypes).join(', ')}.`)
  const content = await readFile(resolve(cwd, file)).catch((error: unknown) => {
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
