import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CaseDetail } from '@sav/core'
import { writeNew } from '../backup/whole-file.js'
import { CommandError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { counted } from '../terminal/counted.js'
import { idOf } from './cases.js'

export interface SaveOptions {
  readonly output: string
}

/** The reception report of the latest close, as a file. */
export async function saveReport(context: Context, id: string, { output }: SaveOptions): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const report = await sav.cases.report(account_id, await idOf(sav, account_id, id))
  if (report === null)
    throw new CommandError('not_drawn_yet', 'The report is not drawn yet: a running service does it within seconds.', {
      exitCode: exitCodes.unavailable,
    })
  const file = resolve(context.cwd, output)
  await writeNew(file, report.content)
  const { sha256, content } = report
  return { json: { file, bytes: content.length, sha256 }, text: `Wrote ${file}: ${counted(content.length, 'byte')}.` }
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'application/pdf': '.pdf',
}

/** Photos and signature of a case, each under what it is of the case. */
export async function saveFiles(context: Context, id: string, { output }: SaveOptions): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const found = await sav.cases.get(account_id, await idOf(sav, account_id, id))
  const directory = resolve(context.cwd, output)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const files: string[] = []
  for (const [name, sha256] of namedFiles(found)) {
    const { media_type, content } = await sav.cases.file(account_id, found.id, sha256)
    const file = `${found.reference}-${name}${extensions[media_type] ?? ''}`
    await writeNew(join(directory, file), content)
    files.push(file)
  }
  return { json: { directory, files }, text: `Wrote ${counted(files.length, 'file')} to ${directory}.` }
}

function namedFiles({ photos, photo_avant, photo_apres, signature_client }: CaseDetail): [string, string][] {
  const ofCreation = photos.flatMap((photo, index) =>
    'sha256' in photo ? [[`photo-${index + 1}`, photo.sha256] satisfies [string, string]] : [],
  )
  const ofClose = [
    ['avant', photo_avant],
    ['apres', photo_apres],
    ['signature', signature_client],
  ] as const
  return [
    ...ofCreation,
    ...ofClose.flatMap(([name, sha256]) => (sha256 === null ? [] : [[name, sha256] satisfies [string, string]])),
  ]
}
