import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bin, nodeOptions } from '../packages/cli/test/workplace.js'
import { freePort } from './free-port.js'
import { needs } from './needs.js'

const textOf = (page: string) => readFile(join(import.meta.dirname, '..', page), 'utf8')

/** All shell code of a page, in order. */
const typedIn = (text: string) => [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code).join('')

const section = (text: string, heading: string) =>
  text.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`)) ?? ''

test.runIf(needs('curl', 'that the commands of the pages "run it" and "call it" work'))(
  'the commands of "run it" and "call it" work, one after the other, in an empty folder',
  async () => {
    const script = typedIn(await textOf('docs/start/run.md')) + typedIn(await textOf('docs/start/call.md'))
    // Repeats the write, as the page recommends.
    const [write] = /^curl [^\n]*\n[^\n]*Idempotency-Key[^\n]*\n[^\n]* -d .*$/m.exec(script) ?? []
    expect(write).toBeDefined()
    const output = await printedBy(`${script}\n${write}`)
    const answers = output.split('{"success":').slice(1)
    expect(answers.map((answer) => answer.slice(0, 5))).toEqual(['true,', 'true,', 'false', 'true,'])
    // The repeated call shows the same case.
    expect(output.match(/SAV-\d{4}-00002/g)?.length).toBeGreaterThanOrEqual(2)
    expect(output).not.toMatch(/SAV-\d{4}-00003/)
  },
  120_000,
)

test.runIf(needs('curl', 'that the commands of the README work'))(
  'the commands of the README’s "Run" and "Call" work in an empty folder',
  async () => {
    const readme = await textOf('README.md')
    const output = await printedBy(typedIn(section(readme, 'Run')) + typedIn(section(readme, 'Call')))
    expect(output).toMatch(/\{"success":true,.*SAV-\d{4}-00002/)
  },
  120_000,
)

/**
 * Runs shell commands in an empty folder, without their `npm install`, and with `sav serve` in the background. Resolves
 * to the output.
 */
async function printedBy(typed: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const serving = `sav serve & SERVICE=$!; until curl -so /dev/null 127.0.0.1:${port}/readyz; do sleep 0.1; done`
  const script = typed
    .replace(/^npm install .*\n/m, '')
    .replace(/^sav serve$/m, serving)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  expect(script).toContain(serving)
  const program = `#!/bin/sh\nexec '${process.execPath}' ${nodeOptions.join(' ')} '${bin}' "$@"\n`
  await writeFile(join(folder, 'sav'), program, { mode: 0o755 })
  await writeFile(join(folder, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  const child = spawn('sh', ['-eu'], {
    cwd: folder,
    env: { SAV_TEST_INSTALLED_SETTINGS: '', PATH: `${folder}:${process.env['PATH']}`, SAV_PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.stdin.end(`trap 'kill $SERVICE' EXIT\n${script}`)
  const [code] = await once(child, 'close')
  expect(code, output).toBe(0)
  return output
}
