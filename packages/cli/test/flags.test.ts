import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProgram } from '../src/program.js'
import { englishNames } from '../src/syntax/field-command.js'
import { readyWorkplace, unattended } from './workplace.js'

/** Every command that ends by itself, with its words. */
function commandsOf(command: Command, words: readonly string[] = []): { words: readonly string[]; command: Command }[] {
  const endless = ['serve', 'worker', 'listen', 'complete']
  if (endless.includes(command.name())) return []
  return command.commands.length === 0
    ? [{ words, command }]
    : command.commands.flatMap((each) => commandsOf(each, [...words, each.name()]))
}

/** What else a command must be given, so that nothing but the one flag is wrong. */
const required: Readonly<Record<string, string>> = {
  '--client-id': '1',
  '--date': '2026-12-01',
  '--debut': '2026-12-01T09:00',
  '--description': 'La porte du four ne ferme plus',
  '--duree': '60',
  '--email': 'zoe@example.com',
  '--from': 'sqlite:nowhere.db',
  '--permissions': 'sav:read',
  '--resultat': 'resolu',
  '--role': 'lecture',
}
const besides: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'accounts update': { '--siret': '12345678900011' },
  'cases update': { '--priorite': 'haute' },
  'clients update': { '--nom': 'Petit' },
  'poseurs update': { '--nom': 'Petit' },
  'cases close': { '--resolution': 'Charnière remplacée hier' },
  'planning absences': { '--debut': '2026-12-01T09:00', '--fin': '2026-12-01T10:00' },
  'webhooks add': { '--events': 'sav.created' },
}
const argumentOf: Readonly<Record<string, string>> = {
  file: 'clients.csv',
  files: 'clients.csv',
  kind: 'sav.created',
  name: 'default',
  role: 'lecture',
  url: 'https://example.com/',
}

/** Wrong for every flag: neither a number nor a choice, longer than any text, and the name of no file. */
const wrong = 'x'.repeat(20_000)

it('each flag of each command is called by the name that was typed when its value is wrong', async () => {
  const shop = await readyWorkplace()
  await shop.json(['cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus'])
  await shop.json(['poseurs', 'add', '--nom', 'Petit'])
  await shop.write('clients.csv', 'nom,prenom\nPetit,Zoé\n')
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const untilStopped = async () => {}
  const io = { ...unattended, env: {}, cwd: shop.dir, stdin: () => stdin, stdout, stderr, untilStopped }
  const misnamed: string[] = []
  let tried = 0
  const program = createProgram(io, async () => {})
  const english = englishNames(program)
  for (const { words, command } of commandsOf(program)) {
    const given = command.registeredArguments
      .filter((each) => each.required)
      .map((each) => argumentOf[each.name()] ?? '1')
    for (const option of command.options) {
      const flag = option.long ?? ''
      if (option.isBoolean()) continue
      tried += 1
      const isMeant = (long: string) => long === flag || `--${english.get(long.slice(2))}` === flag
      const mandatory = command.options.flatMap((each) => (each.mandatory ? [each.long ?? ''] : []))
      const others = {
        ...Object.fromEntries(mandatory.map((long) => [long, required[long] ?? 'x'])),
        ...(flag !== '--file' && besides[words.join(' ')]),
      }
      const beside = Object.entries(others).flatMap(([long, value]) => (isMeant(long) ? [] : [long, value]))
      const yes = command.options.some(({ long }) => long === '--yes') ? ['--yes'] : []
      const argv = [...words, ...given, ...beside, ...yes, flag, wrong]
      const ran = await shop.sav(argv, {}, { stopAtOnce: true })
      // A file, or a thing that is not there, is named by what was typed for it.
      const named =
        ran.stderr.includes(`${flag}:`) || ran.stderr.includes(`${flag}[`) || ran.stderr.includes(`${flag} <`)
      if (ran.code === 2 && !named && !ran.stderr.includes(wrong.slice(0, 100)))
        misnamed.push(`${words.join(' ')} ${flag}: ${ran.stderr}`)
    }
  }
  expect(misnamed).toEqual([])
  expect(tried).toBeGreaterThan(300)
})
