import { appendFile, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Anchor, Job } from '@sav/core/adapter'
import type { HttpSender } from '@sav/core/ports'
import { boundedText } from '../process/bounded-file.js'
import { usageError } from '../process/command-error.js'

const dayMs = 86_400_000
const timeoutMs = 10_000

/** Appends a line for each anchor to a file, which is created if missing. */
export async function appendAnchors(file: string, anchors: readonly Anchor[]): Promise<void> {
  const date = new Date().toISOString()
  const lines = anchors.map(({ account, sequence, hash_entree }) =>
    JSON.stringify({ date, account, sequence, hash_entree }),
  )
  const text = lines.map((line) => `${line}\n`).join('')
  await appendFile(file, (await endsWithin(file)) ? `\n${text}` : text)
}

/** Whether the last line of a file has no line break. */
async function endsWithin(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return false
  try {
    const { size } = await handle.stat()
    if (size === 0) return false
    const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 })
    return buffer.toString() !== '\n'
  } finally {
    await handle.close()
  }
}

/**
 * The worker's daily job that sends the end of each chain to `target`: a file, or a URL that accepts a POST of JSON.
 */
export function anchorJob(
  target: string,
  { anchors, http }: { readonly anchors: () => Promise<Anchor[]>; readonly http: HttpSender },
): Job {
  const isUrl = /^https?:\/\//i.test(target)
  return {
    name: 'evidence anchor',
    everyMs: dayMs,
    async run() {
      const found = await anchors()
      if (found.length === 0) return
      if (!isUrl) return appendAnchors(resolve(target), found)
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify(found)
      const { ok, error, status } = await http.post({ account_id: '', url: target, headers, body, timeoutMs })
      // The error must not contain the URL, which may include a password.
      if (!ok) throw new Error(`SAV_EVIDENCE_ANCHOR did not accept the anchors: ${error ?? `status ${status}`}`)
    },
  }
}

/** The largest file, in bytes: enough for one anchor a day of a thousand accounts, for a year. */
const maxFile = 64 << 20

/**
 * Reads the anchors that `sav evidence anchor` or a worker wrote, on one day or on several. An incomplete last line, as
 * after a kill or on a full disk, is ignored.
 * @throws CommandError for anything else in the file
 */
export async function readAnchors(file: string): Promise<Anchor[]> {
  const text = await boundedText(file, { flag: '--anchor', maxBytes: maxFile })
  const documents = isJson(text) ? [text] : text.split('\n').map((line) => line.trim())
  const last = documents.at(-1) ?? ''
  if (documents.length > 1 && !isJson(last) && !row.test(last)) documents.pop()
  try {
    return documents.filter((line) => line !== '' && !head.test(line)).flatMap(anchorsIn)
  } catch (cause) {
    throw usageError(`--anchor ${file}: the file must contain the output of \`sav evidence anchor\` (${cause})`)
  }
}

/** The headings of the table that `sav evidence anchor` prints without --json. */
const head = /^ACCOUNT +ENTRY +HASH$/
const row = /^(\S+) +(\d+) +([0-9a-f]{64})$/

function anchorsIn(document: string): Anchor[] {
  const [, account, sequence, hash_entree] = row.exec(document) ?? []
  const said = account === undefined ? JSON.parse(document) : { account, sequence: Number(sequence), hash_entree }
  return [said].flat().map(anchorIn)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function anchorIn({ account, sequence, hash_entree }: Record<string, unknown>): Anchor {
  if (typeof account !== 'string' || typeof sequence !== 'number' || typeof hash_entree !== 'string')
    throw new TypeError('an anchor must have account, sequence and hash_entree')
  return { account, sequence, hash_entree }
}
