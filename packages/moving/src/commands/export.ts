import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import {
  type CommandOutput,
  type Context,
  counted,
  ExportedFiles,
  fillDirectory,
  progressLine,
  usageError,
  withFeature,
} from '@sav/command/feature'
import { type ImportType, importTypes } from '../import-store.js'
import type { Moving } from '../moving.js'

export interface ExportOptions {
  readonly output: string
}

const folder = 'fichiers/'

/** Exports the whole account, in the form that `sav import` reads. */
export const exportAccount = (context: Context, { output }: ExportOptions): Promise<CommandOutput> =>
  exportInto(context, { output })

/** Exports the whole account with this name, in the form that `sav import` reads. */
export const exportNamed = (context: Context, account: string, { output }: ExportOptions): Promise<CommandOutput> =>
  exportInto(context, { account, output })

/** Exports everything stored about one client, who has a right to it. */
export async function exportClient(context: Context, id: number, { output }: ExportOptions): Promise<CommandOutput> {
  const { sav, account_id } = await context.openAccount()
  await sav.directory.clients.get(account_id, id)
  return exportInto(context, { output, client_id: id })
}

interface ExportRequest extends ExportOptions {
  /** The account to export. Absent: the account of the command. */
  readonly account?: string
  /** Absent: all clients. */
  readonly client_id?: number
}

async function exportInto(context: Context, { output, account, client_id }: ExportRequest): Promise<CommandOutput> {
  if (context.remote !== null) throw usageError('An export reads the store itself: run it where the store is.')
  const { account_id, storage, ...opened } = await context.openAccount(account)
  const { exports } = withFeature<Moving>(opened.sav)
  const { created_at } = (await storage.reads.accounts.find(account_id)) ?? {}
  const directory = resolve(context.cwd, output)
  const subject = { account: account_id, created_at, ...(client_id !== undefined && { client_id }) }
  return fillDirectory({ path: directory, output }, subject, async () => {
    const counts: Record<ImportType | 'files', number> = { clients: 0, poseurs: 0, cases: 0, visits: 0, files: 0 }
    const exported = new ExportedFiles(join(directory, folder))
    const progress = progressLine(context)
    for (const type of importTypes) {
      if (type === 'poseurs' && client_id !== undefined) continue
      const path = join(directory, `${type}.ndjson`)
      await rm(path, { force: true })
      const out = createWriteStream(path, { flags: 'wx', mode: 0o600 })
      for await (const { row, files } of exports.rows(account_id, type, { client_id, folder })) {
        for (const { name, read } of files) if (await exported.add(name, read)) counts.files += 1
        if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, 'drain')
        counts[type] += 1
        if (counts[type] % 100 === 0) progress.show(`${type}: ${counts[type]}`)
      }
      out.end()
      await finished(out)
    }
    await exported.removeOthers()
    progress.clear()
    const parts = (['clients', 'poseurs', 'cases', 'visits', 'files'] as const).map((what) =>
      counted(counts[what], what.slice(0, -1)),
    )
    return { json: { directory, ...counts }, text: `${parts.join(', ')} in ${directory}.` }
  })
}
