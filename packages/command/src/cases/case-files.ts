import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CaseOnTheWire } from '@sav/http-node/links'
import type { Context } from '../invocation/context.js'
import { openInProgram } from '../invocation/links.js'
import { CommandError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { writeNew } from '../process/whole-file.js'
import { counted } from '../terminal/terminal.js'
import { caseParams } from './case-id.js'

export interface SaveOptions {
  readonly output: string
  /** Whether to open the saved report in the default program. */
  readonly open?: boolean
}

/** Saves the reception report of the latest close as a file. */
export async function saveReport(context: Context, id: string, { output, open }: SaveOptions): Promise<Output> {
  const api = await context.api()
  const { data: content } = await api.get('/api/v1/sav/{id}/pv', { params: await caseParams(api, id) })
  if (!(content instanceof Uint8Array))
    throw new CommandError('not_drawn_yet', 'The report is not drawn yet: a running service draws it within seconds.')
  const file = resolve(context.cwd, output)
  await writeNew(file, content)
  if (open) await openInProgram(context, file)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { json: { file, bytes: content.length, sha256 }, text: `Wrote ${file}: ${counted(content.length, 'byte')}.` }
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'application/pdf': '.pdf',
}

/** Saves the photos and the signature of a case as files, each named by its role. */
export async function saveFiles(context: Context, id: string, { output }: SaveOptions): Promise<Output> {
  const api = await context.api()
  const { data: found } = await api.get('/api/v1/sav/{id}', { params: await caseParams(api, id) })
  const directory = resolve(context.cwd, output)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const files: string[] = []
  for (const [name, sha256] of namedFiles(found)) {
    const params = { id: found.id, sha256 }
    const { data: content, headers } = await api.get('/api/v1/sav/{id}/fichiers/{sha256}', { params })
    const file = `${found.reference}-${name}${extensions[headers.get('content-type') ?? ''] ?? ''}`
    await writeNew(join(directory, file), content)
    files.push(file)
  }
  return { json: { directory, files }, text: `Wrote ${counted(files.length, 'file')} to ${directory}.` }
}

/** The names and hashes of a case's files, without photos that are links. */
function namedFiles({ id, photos, photo_avant, photo_apres, signature_client }: CaseOnTheWire): [string, string][] {
  const named = [
    ...photos.map(({ url }, index) => [`photo-${index + 1}`, url] as const),
    ['avant', photo_avant] as const,
    ['apres', photo_apres] as const,
    ['signature', signature_client] as const,
  ]
  const own = new RegExp(`/sav/${id}/fichiers/([0-9a-f]{64})$`)
  return named.flatMap(([name, url]) => {
    const [, sha256] = own.exec(url ?? '') ?? []
    return sha256 === undefined ? [] : [[name, sha256] satisfies [string, string]]
  })
}
