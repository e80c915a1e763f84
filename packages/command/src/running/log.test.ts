import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const url = (path: string) => new URL(path, import.meta.url)

it('the log writes a line that was logged during a write, even if no further line follows', async () => {
  const gate = join(await mkdtemp(join(tmpdir(), 'sav-log-')), 'gate')
  await promisify(execFile)('mkfifo', [gate])
  // Opening the gate, a FIFO, blocks libuv's only thread until this test writes to the gate. By then, both lines wait
  // in the thread's queue. Timers of equal length fire in order.
  const program = `
    import { open } from 'node:fs/promises'
    import { setTimeout as delay } from 'node:timers/promises'
    import { openLog } from '${url('log.ts')}'
    const log = openLog('info')
    open('${gate}')
    log.say('first')
    await delay(10)
    log.say('second')
    await delay(10)
    console.log('both said')
    setInterval(() => {}, 60_000)`
  const child = spawn(
    process.execPath,
    ['--import', fileURLToPath(url('../../../../test/source.mjs')), '--input-type=module', '--eval', program],
    { env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
  )
  onTestFinished(() => void child.kill())
  const logged = child.stderr.setEncoding('utf8')
  await once(child.stdout, 'data')
  await appendFile(gate, 'open')
  let lines = ''
  for await (const chunk of logged) {
    lines += chunk
    if (lines.includes('second')) break
  }
  expect(lines).toMatch(/"first".*\n.*"second"/)
})
