import { hash } from 'node:crypto'
import type { Snapshot } from '../cases/evidence.js'
import type { Storage, StoredFile } from '../ports.js'
import type { ReportRecord, ReportRenderer } from './report.js'
import { contentOf } from './report-content.js'

export interface DrawingDeps {
  readonly storage: Storage
  readonly renderer: ReportRenderer
  readonly publicUrl: string | null
}

/** Draws reports, each of them once. */
export interface Drawing {
  /** The PDF of a report, drawn now unless it is already; null for one whose close was erased. */
  pdfOf(report: ReportRecord): Promise<StoredFile | null>
  /** Draws the oldest report that is not drawn yet. False when there is none. */
  step(): Promise<boolean>
}

export function createDrawing({ storage, renderer, publicUrl }: DrawingDeps): Drawing {
  /** By account and sequence: a channel asks for the report that the worker is at. */
  const underWay = new Map<string, Promise<StoredFile | null>>()

  async function draw({ account_id, sequence }: ReportRecord): Promise<StoredFile | null> {
    const entry = await storage.evidence.find(account_id, sequence)
    const text = entry && (await storage.evidence.snapshot(account_id, entry.hash_dossier))
    if (entry === null || text === null || hash('sha256', text) !== entry.hash_dossier) return null
    const snapshot: Snapshot = JSON.parse(text)
    const content = await renderer.render(await contentOf(storage, entry, snapshot, publicUrl))
    const file = { sha256: hash('sha256', content), media_type: 'application/pdf', content }
    return storage.transaction(async (tx) => {
      const report = await tx.reports.lock(account_id, sequence)
      if (report === null || report.erased_at !== null) return null
      // Another process was first: its PDF is the one.
      if (report.pdf !== null) return tx.files.find(account_id, report.case_id, report.pdf)
      await tx.files.put(account_id, report.case_id, file)
      await tx.reports.update({ ...report, pdf: file.sha256 })
      return file
    })
  }

  async function pdfOf(report: ReportRecord): Promise<StoredFile | null> {
    const { account_id, case_id, sequence, pdf, erased_at } = report
    if (erased_at !== null) return null
    if (pdf !== null) return storage.files.find(account_id, case_id, pdf)
    const place = `${account_id} ${sequence}`
    const drawing = underWay.get(place) ?? draw(report).finally(() => underWay.delete(place))
    underWay.set(place, drawing)
    return drawing
  }

  return {
    pdfOf,
    async step() {
      const [next] = await storage.reports.undrawn(1)
      if (next === undefined) return false
      await pdfOf(next)
      return true
    },
  }
}
