import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { englishNames } from '../../command/src/syntax/field-command.js'
import { createProgram } from './program.js'
import { commandsOf, neededBy } from './typed.js'
import { readyWorkplace, unattended } from './workplace.js'

/** Commands that do not end by themselves, or that accept any text. */
const endless = ['serve', 'worker', 'listen', 'complete']

/** A value that is wrong for every flag: no number, no choice, longer than any text, and not the name of a file. */
const wrong = 'x'.repeat(20_000)

it('a wrong value of any flag of any command is reported with the flag as it was typed', async () => {
  const shop = await readyWorkplace()
  await shop.newCase()
  await shop.json('poseurs add --nom Petit')
  await shop.write('clients.csv', 'nom,prenom\nPetit,Zoé\n')
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const untilStopped = async () => {}
  const io = { ...unattended, env: {}, cwd: shop.dir, stdin: () => stdin, stdout, stderr, untilStopped }
  const misnamed: string[] = []
  let tried = 0
  const program = createProgram(io, async () => {})
  const english = englishNames(program)
  for (const { words, command } of commandsOf(program)) {
    if (endless.includes(command.name())) continue
    const { args, options } = neededBy({ words, command })
    for (const option of command.options) {
      const flag = option.long ?? ''
      if (option.isBoolean()) continue
      tried += 1
      const isMeant = (long: string) => long === flag || `--${english.get(long.slice(2))}` === flag
      const beside = Object.entries(flag === '--file' ? {} : options).flatMap(([long, value]) =>
        isMeant(long) ? [] : [long, value],
      )
      const yes = command.options.some(({ long }) => long === '--yes') ? ['--yes'] : []
      const argv = [...words, ...args, ...beside, ...yes, flag, wrong]
      const ran = await shop.sav(argv, {}, { stopAtOnce: true })
      // A message on a missing file or record has the typed value instead of the flag.
      const named =
        ran.stderr.includes(`${flag}:`) || ran.stderr.includes(`${flag}[`) || ran.stderr.includes(`${flag} <`)
      if (ran.code === 2 && !named && !ran.stderr.includes(wrong.slice(0, 100)))
        misnamed.push(`${words.join(' ')} ${flag}: ${ran.stderr}`)
    }
  }
  expect(misnamed).toEqual([])
  expect(tried).toBeGreaterThan(300)
})
