import { expect, it } from 'vitest'
import { createProgram } from './program.js'
import { commandsOf, neededBy } from './typed.js'
import { readyWorkplace } from './workplace.js'

/** Appends characters that clear the screen, change colours, or reverse the direction of text. */
const hostile = (text: string) => `${text} \u009b2J\u009b31m\u202edefil\u2066`
/** Like `hostile`, for texts of one line: the service refuses control characters in them. */
const turned = (text: string) => `${text} \u202edefil\u2066`

/** Control sequences that we print ourselves: colours, and the start of a rewritten line. */
const ours = new RegExp(`${'\u001b'}\\[[\\d;]*m|\r${'\u001b'}\\[K`, 'g')
const obeyed = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Commands that do not end by themselves, or that take long and only print texts of our own. */
const leftOut = ['serve', 'worker', 'listen', 'demo']

it('no command prints control characters of foreign text, neither as text nor as JSON', async () => {
  const shop = await readyWorkplace()
  const said = ['--description', hostile('La porte du four ne ferme plus')]
  await shop.json(['clients', 'update', '1', '--nom', turned('Durand')])
  await shop.json(['poseurs', 'add', '--nom', turned('Petit')])
  await shop.json(['cases', 'create', '--client-id', '1', ...said])
  await shop.json(['webhooks', 'add', 'https://example.com/h', '--all-events', '--description', turned('ERP')])
  await shop.json(['accounts', 'update', '--raison-sociale', turned('Cuisines Martin')])
  await shop.json(['cases', 'create', '--client-id', '1', ...said])
  await shop.json(['cases', 'close', '2', '--resolution', hostile('Charnière remplacée')])
  await shop.write('clients.csv', `nom,prenom\n${turned('Petit')},Zoé\n`)
  const program = createProgram({ stdout: process.stdout } as never, async () => {})
  const declared = commandsOf(program).filter(({ command }) => !leftOut.includes(command.name()))
  const shown: string[] = []
  let hostileTexts = 0
  for (const each of declared) {
    const { args, options } = neededBy(each)
    const argv = [...each.words, ...args, ...Object.entries(options).flat()]
    for (const more of [[], ['--json'], ...formatsOf(each.command)]) {
      const how = more.length === 0 ? { columns: 200, attended: true } : {}
      const { stdout, stderr } = await shop.sav([...argv, ...more], {}, { ...how, stopAtOnce: true })
      const text = `${stdout}${stderr}`.replaceAll(ours, '')
      if (obeyed.test(text)) shown.push([...argv, ...more].join(' '))
      if (text.includes('\\u202e') || text.includes('\ufffd')) hostileTexts += 1
    }
  }
  expect(shown).toEqual([])
  expect(hostileTexts).toBeGreaterThan(20)
}, 120_000)

/** The option by which `cases export` prints JSON. */
const formatsOf = ({ options }: { readonly options: readonly { readonly long?: string | null | undefined }[] }) =>
  options.some(({ long }) => long === '--format') ? [['--format', 'ndjson']] : []
