import { hash } from 'node:crypto'
import type { Storage, StoredFile } from '@sav/core/ports'

/** Stores a PDF as the report of a case's latest close, as the worker does. */
export async function draw(storage: Storage, case_id: number): Promise<StoredFile> {
  const content = Buffer.from(`%PDF-1.7\n% report of case ${case_id}\n%%EOF\n`)
  const file = { sha256: hash('sha256', content), media_type: 'application/pdf', content }
  await storage.transaction(async (tx) => {
    const report = (await tx.reports.ofCase('default', case_id)).at(-1)
    if (report === undefined) throw new Error(`case ${case_id} was never closed`)
    await tx.files.put('default', case_id, file)
    await tx.reports.update({ ...report, pdf: file.sha256 })
  })
  return file
}
