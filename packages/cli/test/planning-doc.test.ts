import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { bin, nodeOptions, workplace } from './workplace.js'

const doc = await readFile(new URL('../../../docs/planning.md', import.meta.url), 'utf8')

/** The lines of the page's examples; continued lines are joined. */
const lines = [...doc.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block.replaceAll('\\\n', ' ').trim().split(/\n+/),
)

/** Whether a line needs no shell. Such lines run in this process, in a tenth of the time. */
const isPlain = (line: string) => line.startsWith('sav ') && !line.includes('$')

it('every example on the planning page runs, in order', async () => {
  const shop = await workplace()
  await shop.json('init')
  const [{ url: URL }, KEY] = [await shop.serveHere(), await shop.newKey()]
  const { PATH = '' } = process.env
  const env = { PATH, URL, KEY, NODE: process.execPath, OPTIONS: nodeOptions.join(' '), BIN: bin }

  async function inShell(script: string) {
    const functions = 'sav() { "$NODE" $OPTIONS "$BIN" "$@"; }\nnode() { "$NODE" "$@"; }\n'
    const child = spawn('bash', ['-ec', functions + script], { cwd: shop.dir, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: child.exitCode, stdout, stderr }
  }

  expect(lines.filter(isPlain).length).toBeGreaterThan(20)
  let said = ''
  let script = ''
  for (const [at, line] of lines.entries()) {
    script += `${line}\n`
    const next = lines[at + 1]
    if (!isPlain(line) && next !== undefined && !isPlain(next)) continue
    const words = (line.match(/'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replaceAll("'", ''))
    const ran = isPlain(line) ? await shop.sav(words) : await inShell(script)
    expect([script, ran]).toEqual([script, { code: 0, stdout: expect.any(String), stderr: '' }])
    said += ran.stdout
    script = ''
  }
  // The page says that the commands print this.
  expect(said).toMatch(/Nothing was changed\. To make these changes, add --apply\./)
  expect(said).toMatch(/an end has no way back: 409/)
  expect(said).toMatch(/· 09:00–10:30/)
})
