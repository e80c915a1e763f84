import { appendFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Anchor, Job } from '@sav/core'
import type { HttpSender } from '@sav/core/ports'
import { usageError } from '../invocation/command-error.js'
import { fileProblem } from '../invocation/system-problem.js'

const dayMs = 86_400_000
const timeoutMs = 10_000

/** Adds a line for each anchor to the end of a file, which need not be there yet. */
export async function appendAnchors(file: string, anchors: readonly Anchor[]): Promise<void> {
  const date = new Date().toISOString()
  const lines = anchors.map(({ account, sequence, hash_entree }) =>
    JSON.stringify({ date, account, sequence, hash_entree }),
  )
  await appendFile(file, lines.map((line) => `${line}\n`).join(''))
}

/** Has a worker leave the end of each chain at `target`, a file or a URL that takes a POST of JSON, every day. */
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
      const { ok, error, status } = await http.post({ url: target, headers, body: JSON.stringify(found), timeoutMs })
      // It never says the URL, which may hold a password.
      if (!ok) throw new Error(`SAV_EVIDENCE_ANCHOR did not take the anchors: ${error ?? `status ${status}`}`)
    },
  }
}

/** What `sav evidence anchor` printed or a worker left. @throws CommandError when there is something else in the file */
export async function readAnchors(file: string): Promise<Anchor[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(`--anchor ${file}: ${fileProblem(error)}`)
  })
  const documents = text.trimStart().startsWith('[') ? [text] : text.split('\n').filter((line) => line.trim() !== '')
  try {
    return documents.flatMap((document) => [JSON.parse(document)].flat()).map(anchorIn)
  } catch (cause) {
    throw usageError(`--anchor ${file}: must hold what sav evidence anchor prints (${cause})`)
  }
}

function anchorIn({ account, sequence, hash_entree }: Record<string, unknown>): Anchor {
  if (typeof account !== 'string' || typeof sequence !== 'number' || typeof hash_entree !== 'string')
    throw new TypeError('an anchor has account, sequence and hash_entree')
  return { account, sequence, hash_entree }
}
