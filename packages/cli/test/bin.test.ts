import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bin } from './workplace.js'

const run = promisify(execFile)

it.each(['20.20.2', '22.18.0'])('the command says in one sentence that Node %s is too old', async (version) => {
  const pretended = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const started = run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretended)}`,
    bin,
    '--help',
  ])
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `sav needs Node.js 22.19 or newer, and this is ${version}: install it from https://nodejs.org and try again.\n`,
  })
})
