import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { bare, bin, local, nodeOptions, readyWorkplace } from './workplace.js'

it('sav top shows the receivers of every account, or of one', async () => {
  const shop = await readyWorkplace()
  await shop.json('accounts add lyon')
  const service = shop.start('serve --port 0', { SAV_METRICS: '127.0.0.1:0' })
  const [, metrics = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
  for (const account of ['default', 'lyon']) {
    const add = ['webhooks', 'add', `https://${account}.example`, '--all-events', '--account', account]
    const { id } = await shop.json<{ id: string }>(add, local)
    await shop.json(['webhooks', 'disable', id, '--account', account])
  }
  const failing = async (...args: string[]) => {
    const { stdout } = await shop.sav(['top', '--metrics', metrics, '--json', ...args], {}, { stopAtOnce: true })
    return JSON.parse(stdout.split('\n')[0] ?? '').failing
  }
  const of = (account: string) => ({ url: `https://${account}.example/`, why: 'disabled by hand' })
  expect(await failing()).toEqual([
    { account: 'default', ...of('default') },
    { account: 'lyon', ...of('lyon') },
  ])
  expect(await failing('--account', 'lyon')).toEqual([of('lyon')])
})

it.runIf(needs('script', 'the screen of sav top on a terminal of 80×24'))(
  'sav top fits a terminal of 80×24, and says what is wrong with the first six receivers',
  async () => {
    const shop = await readyWorkplace()
    const service = shop.start('serve --port 0', { SAV_METRICS: '127.0.0.1:0' })
    const [, metrics = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
    const host = (n: number) => `un-recepteur-au-nom-assez-long-numero-${n}.example.com`
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      const { id } = await shop.json<{ id: string }>(['webhooks', 'add', `https://${host(n)}/hooks`, '--all-events'])
      await shop.json(['webhooks', 'disable', id])
    }
    const top = `stty cols 80 rows 24; exec "$NODE" $OPTIONS "$BIN" top --metrics ${metrics}`
    const env = { ...bare, TERM: 'xterm', NODE: process.execPath, OPTIONS: nodeOptions.join(' '), BIN: bin }
    const terminal = spawn('script', ['--quiet', '--return', '--command', top, '/dev/null'], { cwd: shop.dir, env })
    onTestFinished(() => void terminal.kill())
    let shown = ''
    while (!/\d+ more: /.test(shown)) shown += String((await once(terminal.stdout, 'data'))[0])
    // Types Ctrl-C.
    terminal.stdin.write('\u0003')
    const [code] = await once(terminal, 'exit')
    const lines = stripVTControlCharacters(shown).trimEnd().split(/\r?\n/)
    expect(code).toBe(0)
    expect(lines.length).toBeLessThanOrEqual(24)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines).toEqual([
      expect.stringMatching(/^Time +\d{4}-\d\d-\d\d [\d:]{8} \(Europe\/Paris\), http:\/\/127\.0\.0\.1:\d+\/metrics$/),
      expect.stringMatching(/^API +[\d.]+\/s calls, p99 (-|\d+ ms), [\d.]+\/s refused$/),
      expect.stringMatching(/^Sending +0\.0\/s delivered, 0\.0\/s failed attempts$/),
      expect.stringMatching(/^Waiting +0 in flight, 0 pending, oldest due for 0 ms, 0 failed for good$/),
      expect.stringMatching(/^Process +event loop p99 \d+ ms, \d+ MiB, database up$/),
      expect.stringMatching(/^Store +ready, enough space, no backup, 0 letters wait$/),
      '',
      expect.stringMatching(/^ACCOUNT +RECEIVER +WHAT IS WRONG$/),
      ...[1, 2, 3, 4, 5, 6].map((n) => expect.stringMatching(`^default +${host(n)} +disabled by hand$`)),
      '… and 1 more: sav webhooks health --all-accounts',
    ])
  },
)
