import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { type ImportType, importTypes } from '@sav/core/internal'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'

export interface ExportOptions {
  readonly output: string
}

const folder = 'fichiers/'

/** Everything of the account, as `sav import` takes it. */
export const exportAccount = (context: Context, { output }: ExportOptions): Promise<Output> =>
  exportInto(context, { output })

/** The same of the account that is named. */
export const exportNamed = (context: Context, account: string, { output }: ExportOptions): Promise<Output> =>
  exportInto(context, { account, output })

/** Everything that is kept about one client, which is his right to have. */
export async function exportClient(context: Context, id: number, { output }: ExportOptions): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  await sav.directory.clients.get(account_id, id)
  return exportInto(context, { output, client_id: id })
}

interface ExportRequest extends ExportOptions {
  /** Absent: the one that the command works in. */
  readonly account?: string
  /** Absent: all of them. */
  readonly client_id?: number
}

async function exportInto(context: Context, { output, account, client_id }: ExportRequest): Promise<Output> {
  if (context.remote !== null) throw usageError('An export reads the store itself: run it where the store is.')
  const { sav, account_id } = await context.openAccount(account)
  const directory = resolve(context.cwd, output)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await readdir(directory)).length > 0) throw usageError(`${output} is not empty: name another directory.`)
  const counts: Record<ImportType | 'files', number> = { clients: 0, poseurs: 0, cases: 0, visits: 0, files: 0 }
  const progress = progressLine(context)
  for (const type of importTypes) {
    if (type === 'poseurs' && client_id !== undefined) continue
    const out = createWriteStream(join(directory, `${type}.ndjson`), { mode: 0o600 })
    for await (const { row, files } of sav.exports.rows(account_id, type, { client_id, folder })) {
      for (const { name, read } of files)
        if (await writeFileOnce(join(directory, folder), name, read)) counts.files += 1
      if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, 'drain')
      counts[type] += 1
      if (counts[type] % 100 === 0) progress.show(`${type}: ${counts[type]}`)
    }
    out.end()
    await finished(out)
  }
  progress.clear()
  const said = (['clients', 'poseurs', 'cases', 'visits', 'files'] as const).map((what) =>
    counted(counts[what], what.slice(0, -1)),
  )
  return { json: { directory, ...counts }, text: `${said.join(', ')} in ${directory}.` }
}

/** False where it is there already: several cases may hold one file. */
async function writeFileOnce(
  directory: string,
  name: string,
  read: () => Promise<{ readonly content: Uint8Array } | null>,
): Promise<boolean> {
  const path = join(directory, name)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return false
  const file = await read()
  if (file === null) return false
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(path, file.content, { mode: 0o600 })
  return true
}
