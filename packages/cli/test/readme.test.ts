import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { declaredSettings } from '../../command/src/settings/declared-settings.js'
import { local, workplace } from './workplace.js'

/** Commands that run until they are stopped; other tests start them. */
const longRunning = /^sav (serve|webhooks listen)/

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const settings = await readFile(new URL('../../../docs/reference/settings.md', import.meta.url), 'utf8')

it('docs/reference/settings.md lists every setting with its default, in the same order as sav doctor', () => {
  const rows = [...settings.matchAll(/^\| `((?:SAV|AWS)_\w+)` +\| (.*?) +\|/gm)].map(([, name, shown = '']) => {
    const [, fallback = ''] = /^`([^`]*)`$/.exec(shown) ?? []
    return { name, fallback }
  })
  const declared = Object.values(declaredSettings).map(({ variable: { name, fallback } }) => ({ name, fallback }))
  expect(rows).toEqual(declared)
})

it('every example in the README runs, in order', async () => {
  const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const lines = blocks.join('').split('\n')
  const commands = lines.filter((line) => line.startsWith('sav ') && !longRunning.test(line))
  expect(commands.length).toBeGreaterThan(10)

  const shop = await workplace()
  for (const command of commands) {
    const words = command.replace(/ +#.*/, '').match(/'[^']*'|\S+/g) ?? []
    const args = words.slice(1).map((word) => word.replaceAll("'", ''))
    expect([command, await shop.sav(args, local)]).toEqual([
      command,
      { code: 0, stdout: expect.any(String), stderr: '' },
    ])
  }
})
