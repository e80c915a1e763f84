import { readdir, readlink } from 'node:fs/promises'
import { coreEventKinds as ofTheCore } from '@sav/core/names'
import { eventKinds } from '@sav/webhook-verify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { permissions } from '../../../test/whole/permissions.js'
import { createProgram } from '../../command/src/program.js'
import { readyWorkplace, type Workplace, workplace } from './workplace.js'

describe('help', () => {
  it('is printed on standard output, with exit code 0', async () => {
    const shop = await workplace()
    for (const args of [['--help'], ['cases', '--help'], ['help', 'cases'], ['cases', 'list', '-h'], ['--version']]) {
      const { code, stdout, stderr } = await shop.sav(args)
      expect([args, code, stderr]).toEqual([args, 0, ''])
      expect(stdout).not.toBe('')
    }
  })

  it('names every kind of event and every permission, and marks required options', async () => {
    const shop = await workplace()
    const help = async (...args: string[]) => (await shop.sav([...args, '--help'])).stdout
    const kinds = [await help('webhooks', 'add'), await help('webhooks', 'update')]
    for (const text of kinds) for (const kind of eventKinds) expect(text).toMatch(new RegExp(`\\b${kind}\\b`))
    const keys = await help('keys', 'create')
    for (const permission of permissions) expect(keys).toMatch(new RegExp(`\\b${permission}\\b`))
    expect(keys).toMatch(/--name <name> +what .* \(required\)\n/)
    expect(keys).toMatch(/--expires <duration> +how long it is valid, in whole days \(default: 365d\)\n/)
  })

  it('names no kind of event of a feature that the command lacks', () => {
    const io = { stdout: process.stdout, stderr: process.stderr } as never
    const program = createProgram({ io, execute: async () => {}, features: [] })
    const webhooks = program.commands.find((command) => command.name() === 'webhooks')?.commands ?? []
    const [trigger] = webhooks.filter((command) => command.name() === 'trigger')
    expect(trigger?.registeredArguments[0]?.argChoices).toEqual(ofTheCore)
    for (const command of webhooks) expect(command.helpInformation()).not.toContain('rdv.')
  })

  it('gives only examples that the command accepts', async () => {
    const shop = await readyWorkplace()
    const commands = ['', 'keys create', 'cases list', 'cases create', 'cases close', 'webhooks add', 'webhooks retry']
    for (const command of commands) {
      const { stdout } = await shop.sav([...command.split(' ').filter(Boolean), '--help'])
      const [, examples = ''] = /^Examples:\n((?: {2}.*\n)+)/m.exec(stdout) ?? []
      expect(examples).toMatch(/^ {2}sav /)
      for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(100)
      for (const line of examples.trim().replaceAll(' \\\n', ' ').split('\n')) {
        const words =
          line
            .trim()
            .match(/'[^']*'|\S+/g)
            ?.map((word) => word.replace(/^'|'$/g, '')) ?? []
        if (words[1] === 'serve') continue
        expect((await shop.sav(words.slice(1))).stderr).not.toMatch(/unknown|required|invalid|too many/)
      }
    }
  })

  it('is printed on standard error if a command is missing, with exit code 2', async () => {
    const shop = await workplace()
    for (const args of [[], ['cases']]) {
      const { code, stdout, stderr } = await shop.sav(args)
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringMatching(/^Usage: sav[\s\S]*A command is missing\.\n$/),
      ])
    }
  })
})

it.each([
  ['casse list', /unknown command 'casse'[\s\S]*Did you mean cases/],
  ['cases lst', /unknown command 'lst'[\s\S]*Did you mean list[\s\S]*See sav cases --help\./],
  ['cases list --bogus', /unknown option '--bogus'/],
  ['cases list extra', /too many arguments/],
  ['cases show', /^<id> is missing\.\nSee sav cases show --help\./],
  ['cases create --client-id 1', /^--description is required\./],
  ['cases list --limite ten', /^--limite ten: it must be a whole number\./],
  ['cases list --depuis 15/01/2026', /depuis: must be a date that exists, as YYYY-MM-DD/],
  ['cases create --client-id 1 --description short', /description: must be 10 to 2000 characters \(found 5\)/],
  ['cases create --client-id 1 --description long-enough --photo no.jpg', /--photo no\.jpg: .*no such file/],
  ['cases export --format xml', /^--format xml: it must be one of csv, ndjson\./],
  ['keys create --name x --permissions sav:red', /permissions\[0\]: must be one of sav:read.* \(found sav:red\)$/m],
  ['keys create --name x --permissions sav:read --expires 36h', /^--expires 36h: it must be whole days/],
  ['webhooks add https://example.com', /^Choose the events: /],
  ['webhooks add https://example.com --events sav.closed --all-events', /^--all-events cannot be used with --events\./],
  ['webhooks add http://example.com --all-events', /^<url>: must be an https URL.* SAV_WEBHOOK_ALLOW_LOCAL=1/],
  ['clients add --nom X', /^--prenom: must not be empty, unless --raison-sociale names a company$/m],
  ['webhooks add https://example.com --all-events --header nonsense', /'Name: value'/],
  ['webhooks add https://example.com --all-events --header Host:x', /^--header Host: is written by the service itself/],
  [
    'webhooks history --since yesterday',
    /^--since yesterday: it must be a day \(2026-01-15\), a time .* \(2h, '3 days'\)\./,
  ],
  ['audit list --target foo', /^--target foo: it must be a kind and an id, such as client:13/],
  ['webhooks update wh_x', /^Say what to change: --url, --events, --all-events, --description, --header\.$/m],
  ['cases update 1', /^Say what to change: --statut, --poseur-id, --notes-internes, --priorite, --type-probleme\.$/m],
  ['webhooks rotate-secret wh_x --now --overlap 1h', /^--now cannot be used with --overlap\./],
  ['webhooks rotate-secret wh_x --overlap 1500ms', /it must be a duration, such as 24h, 90s or '2 days'/],
  ['webhooks retry dlv_x --state failed', /not both/],
  ['webhooks retry --cancel rpl_x --state failed', /nothing else/],
  ['webhooks listen --port 0', /SAV_WEBHOOK_ALLOW_LOCAL=1/],
  ['webhooks listen --secret whsec_%%', /^--secret: The webhook secret must be/],
  [
    'webhooks listen --secret whsec_aGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8= --forward-to nowhere',
    /must be an http or https URL/,
  ],
  ['serve --port 80a', /--port: found "80a"; allowed: a port/],
  ['accounts add Big', /^<name>: must be 1 to 63 lowercase letters/],
])('sav %s exits with 2, and says what to do', async (command, message) => {
  const shop = await readyWorkplace()
  const { code, stdout, stderr } = await shop.sav(command)
  expect(stderr).toMatch(message)
  expect([code, stdout]).toEqual([2, ''])
})

it.each([
  ['cases show 99', /No case 99/],
  ['cases show 99999999999999999999', /No case/],
  ['evidence verify 99', /No case 99/],
  ['cases send-report 99', /No case 99/],
  ['keys revoke key_x', /No key key_x/],
  ['webhooks show dlv_x', /No delivery dlv_x/],
  ['webhooks retry dlv_x', /No delivery dlv_x/],
  ['webhooks retry --cancel rpl_x', /No retry rpl_x/],
  ['webhooks test wh_x', /No endpoint wh_x/],
  ['accounts update nobody --email a@example.com', /No account "nobody"/],
  ['cases list --account nobody', /No account "nobody": `sav accounts list` shows all accounts/],
])('sav %s exits with 3', async (command, message) => {
  const shop = await readyWorkplace()
  const { code, stdout, stderr } = await shop.sav(command)
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(message)])
})

it('errors with --json are one JSON object on standard error', async () => {
  const shop = await readyWorkplace()
  const failed = async (...args: string[]) => {
    const { code, stdout, stderr } = await shop.sav([...args, '--json'])
    expect(stdout).toBe('')
    return { code, ...JSON.parse(stderr) }
  }
  expect(await failed('cases', 'create', '--client-id', '99', '--description', 'short')).toEqual({
    code: 2,
    error: {
      code: 'validation_failed',
      message: expect.any(String),
      details: [
        {
          ...{ field: 'description', code: 'description_too_short', params: { min: 10, max: 2000, found: 5 } },
          message: expect.any(String),
        },
        { field: 'client_id', code: 'client_unknown', params: { id: 99 }, message: 'no client 99' },
      ],
    },
  })
  expect(await failed('cases', 'list', '--bogus')).toMatchObject({ code: 2, error: { code: 'usage' } })
  expect(await failed('cases', 'show', '9')).toMatchObject({ code: 3, error: { code: 'case_not_found' } })
  expect(await failed('accounts', 'add', 'default')).toMatchObject({ code: 1, error: { code: 'account_exists' } })
})

it('a setting that does not parse stops every command at once, with its name and source', async () => {
  const shop = await readyWorkplace()
  await shop.write('.env', 'SAV_LOG_LEVEL=loud\n')
  const { code, stderr } = await shop.sav('cases list', { SAV_PORT: '80a' })
  expect(code).toBe(2)
  expect(stderr).toBe(
    'SAV_PORT: found "80a"; allowed: a port from 1 to 65535, or 0 for any free one\n' +
      'SAV_LOG_LEVEL: found "loud" in .env; allowed: one of fatal, error, warn, info, debug, trace, silent\n',
  )
})

/** Keeps the store locked until `release` is called. */
async function locked(shop: Workplace) {
  const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
  const release = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const holding = storage.transaction(async (tx) => {
    await tx.facts.set('busy', 'yes')
    taken.resolve()
    await release.promise
  })
  await taken.promise
  return async () => {
    release.resolve()
    await holding
    await storage.close()
  }
}

it('a database that stays locked gives exit code 5', async () => {
  const shop = await readyWorkplace()
  const release = await locked(shop)
  // Lets the five seconds that a command waits pass at once.
  vi.useFakeTimers({ toFake: ['performance'] })
  const passing = setInterval(() => vi.advanceTimersByTime(500), 10)
  onTestFinished(() => {
    clearInterval(passing)
    vi.useRealTimers()
  })
  await shop.fails(
    'poseurs add --nom Karim',
    5,
    /busy: another process, or another connection of this one, keeps it locked/,
  )
  await release()
})

describe('a command that is interrupted', () => {
  it.runIf(process.platform === 'linux')('exits with 130', async () => {
    const shop = await readyWorkplace()
    const release = await locked(shop)
    const waiting = shop.start('poseurs add --nom Karim')
    await expect.poll(() => openFiles(waiting.process.pid)).toContain(`${shop.dir}/sav-data/sav.db`)
    expect(await waiting.kill('SIGINT')).toMatchObject({ code: 130, stdout: '' })
    await release()
    expect(await shop.json('poseurs list')).toEqual([])
  })
})

async function openFiles(pid: number | undefined): Promise<string[]> {
  const directory = `/proc/${pid}/fd`
  const names = await readdir(directory)
  return Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')))
}
