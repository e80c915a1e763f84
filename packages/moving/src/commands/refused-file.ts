import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import type { FileRow, RowsFile } from './rows-file.js'

/** The column with the reason: only files of refused rows have it, and an import ignores it. */
export const why = 'problem'

/**
 * Writes a file of refused rows, to be corrected and imported again. Each row is unchanged, with what is wrong with it.
 * The file appears once it is complete, so that it can replace the file being read. Without refused rows it is not
 * created.
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

  /** Removes an unfinished file. */
  async close(): Promise<void> {
    if (this.#handle === null) return
    await this.#handle.close()
    await rm(this.#part, { force: true })
  }
}
