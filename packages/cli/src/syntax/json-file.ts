import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { messageOf, usageError } from '../invocation/command-error.js'
import type { ProcessIO } from '../invocation/process-io.js'

/** What a file holds, or standard input for `-`: JSON, whose meaning the core judges. */
export async function jsonFile({ cwd, stdin }: ProcessIO, flag: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(file === '-' ? await text(stdin) : await readFile(resolve(cwd, file), 'utf8'))
  } catch (error) {
    throw usageError(`${flag} ${file}: ${messageOf(error)}`)
  }
}
