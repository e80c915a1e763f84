import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import type { FileRow, RowsFile } from './rows-file.js'

/** The column that says why: only files of refused rows have it, and an import leaves it out. */
export const why = 'problem'

/**
 * Rows that were refused, as they came, with what is wrong with each: to be mended and imported again. It is there once all
 * are in it, so that the file that it replaces can be the one that is read; without any it is not made.
 */
export class RefusedFile {
  readonly #path: string
  readonly #part: string
  readonly #of: RowsFile
  readonly #headings: readonly string[]
  #handle: FileHandle | null = null

  constructor(path: string, of: RowsFile) {
    this.#path = path
    this.#part = `${path}.part`
    this.#of = of
    this.#headings = of.headings.filter((heading) => heading !== why)
  }

  async add({ values }: FileRow, problem: string): Promise<void> {
    const isFirst = this.#handle === null
    this.#handle ??= await open(this.#part, 'w', 0o600)
    const { format } = this.#of
    if (format.ndjson) {
      await this.#handle.writeFile(`${JSON.stringify({ ...values, [why]: problem })}\n`)
      return
    }
    const cells = [...this.#headings.map((heading) => String(values[heading] ?? '')), problem]
    const rows = isFirst ? [[...this.#headings, why], cells] : [cells]
    const options = { delimiter: format.delimiter, bom: isFirst, escape_formulas: true }
    await this.#handle.writeFile(stringify(rows, options))
  }

  async finish(): Promise<void> {
    if (this.#handle === null) return
    await this.#handle.close()
    await rename(this.#part, this.#path)
    this.#handle = null
  }

  /** Leaves nothing of a file that was not finished. */
  async close(): Promise<void> {
    if (this.#handle === null) return
    await this.#handle.close()
    await rm(this.#part, { force: true })
  }
}
