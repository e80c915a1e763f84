import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rdvTypes, roles, typesProbleme } from '@sav/core/names'
import { eventKinds } from '@sav/webhook-verify'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { permissions } from '../../../test/whole/permissions.js'
import { leavesOf, wordsOf } from '../../command/src/completion/man-page.js'
import type { Execute } from '../../command/src/invocation/action.js'
import { englishNames } from '../../command/src/syntax/field-command.js'
import { createProgram } from './program.js'
import { readyWorkplace, workplace } from './workplace.js'

describe('sav complete', () => {
  it('completes commands, options, choices, and values of the store', async () => {
    const shop = await readyWorkplace()
    await shop.newCase()
    const { id } = await shop.json<{ id: string }>('webhooks add https://example.com/h --all-events')
    const words = async (...typed: string[]) => {
      const { stdout } = await shop.sav(['complete', '--', ...typed])
      return stdout.replace(/\n$/, '').split('\n')
    }
    expect(await words('ca')).toEqual([expect.stringMatching(/^cases\tafter-sales cases$/)])
    expect(await words('cases', 'cl')).toEqual(['close\tclose a case and record its evidence'])
    expect(await words('cases', 'list', '--sta')).toEqual([expect.stringMatching(/^--statut\t/)])
    expect(await words('cases', 'list', '--statut', 'ouvert', '--json', '--acc')).toEqual([
      expect.stringMatching(/^--account\t/),
    ])
    expect(await words('completion', '')).toEqual(['bash\t', 'zsh\t', 'fish\t'])
    expect(await words('webhooks', 'trigger', 'sav.cl')).toEqual(['sav.closed\t'])
    expect(await words('cases', 'show', '')).toEqual([expect.stringMatching(/^1\tSAV-\d+-00001 La porte du four/)])
    expect(await words('cases', 'create', '--client-id', '')).toEqual(['1\tHélène Durand'])
    expect(await words('webhooks', 'disable', 'wh_')).toEqual([`${id}\thttps://example.com/h`])
    expect(await words('clients', 'show', '1', '')).toEqual([''])
    expect(await words('nothing', '')).not.toEqual([''])
    const reference = (await shop.json<{ reference: string }[]>('cases list'))[0]?.reference ?? ''
    expect(await words('evidence', 'verify', reference.slice(0, -2))).toEqual([
      `${reference}\tLa porte du four ne ferme plus`,
    ])
    expect(await words('planning', 'book', '--sav-id', 'S')).toEqual([''])
  })

  it('completes values, also after a comma and for the English name of an option', async () => {
    const place = await workplace()
    const words = async (...typed: string[]) =>
      (await place.sav(['complete', '--', ...typed])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0])
    const closed = [
      ['cases list --statut', ['ouvert', 'en_cours', 'clos', 'non_clos']],
      ['cases update 1 --status', ['ouvert', 'en_cours']],
      ['cases create --priority', ['basse', 'normale', 'haute', 'urgente']],
      ['planning book --type', rdvTypes],
      ['planning slots --problem-type', typesProbleme],
      ['webhooks retry --state', ['pending', 'delivered', 'failed']],
      ['users add --role', roles],
      ['users role usr_1', roles],
      ['keys create --permissions', permissions],
      ['planning skills 1 --set', typesProbleme],
      ['webhooks add https://example.com/ --events', eventKinds],
    ] as const
    for (const [typed, known] of closed) expect([typed, await words(...typed.split(' '), '')]).toEqual([typed, known])
    expect(await words('keys', 'create', '--permissions', 'sav:write,directory:read,sav:')).toEqual([
      'sav:write,directory:read,sav:read',
      'sav:write,directory:read,sav:close',
    ])
  })

  it('prints nothing, and changes nothing, if no store is available', async () => {
    const place = await workplace()
    expect(await place.sav(['complete', '--', 'cases', 'show', ''])).toEqual({ code: 0, stdout: '\n', stderr: '' })
    const away = { SAV_URL: 'http://127.0.0.1:1', SAV_API_KEY: 'sav_live_x' }
    await place.shows(['complete', '--', 'cases', 'show', ''], 0, '\n', away)
  })
})

describe('sav completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that names the commands', async (shell) => {
    const place = await workplace()
    await place.shows(['completion', shell], 0, /^# Completes cases evidence .*webhooks.*init/m)
    expect((await place.sav('completion tcsh')).code).toBe(2)
  })

  it('works in bash', async () => {
    const shop = await readyWorkplace()
    await shop.linkSav()
    const script = (await shop.sav('completion bash')).stdout
    const typed = async (...words: string[]) => {
      const array = words.map((word) => `'${word}'`).join(' ')
      const ask = `${script}\nCOMP_WORDS=(sav ${array}); COMP_CWORD=${words.length}; _sav; printf '%s\\n' "\${COMPREPLY[@]}"`
      const env = { PATH: `${shop.dir}:${process.env['PATH']}` }
      return (await promisify(execFile)('bash', ['-c', ask], { cwd: shop.dir, env })).stdout
    }
    expect(await typed('clients', 'show', '')).toBe('1\n')
    // Bash passes `planning:w` as three words, because it splits words at colons.
    expect(await typed('keys', 'create', '--permissions', 'admin,planning', ':', 'w')).toBe('write\n')
    expect(await typed('keys', 'create', '--permissions', 'planning', ':')).toBe('read\nwrite\n')
  })

  for (const shell of ['zsh', 'fish'])
    it.runIf(needs(shell, `that ${shell} reads its completion`))(`is read by ${shell}`, async () => {
      const place = await workplace()
      const file = await place.write('script', (await place.sav(['completion', shell])).stdout)
      await promisify(execFile)(shell, ['-n', file])
    })
})

const program = () => createProgram({ stdout: process.stdout, stderr: process.stderr } as never, async () => {})

it('an option that gives a setting is passed on as the setting’s name, the typed flag and the value', async () => {
  const told: unknown[] = []
  const execute: Execute = async ({ flags }) => void told.push(...flags.filter(({ value }) => value !== undefined))
  const given = { stdout: process.stdout, stderr: process.stderr } as never
  await createProgram(given, execute).parseAsync(['cases', 'list', '--url', 'http://localhost'], { from: 'user' })
  expect(told).toEqual([{ name: 'SAV_URL', flag: '--url', value: 'http://localhost' }])
})

describe('sav man', () => {
  it('lists every command of the help', async () => {
    const place = await workplace()
    const { code, stdout } = await place.sav('man')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\.TH SAV 1 /)])
    const commands = leavesOf(program()).map((command) => wordsOf(command).join(' '))
    expect(commands).toEqual(expect.arrayContaining(['sav serve', 'sav cases close', 'sav webhooks rotate-secret']))
    for (const name of commands) expect(stdout).toContain(`\n.SS "${name.replaceAll('-', '\\-')}`)
    expect(stdout).toMatch(/^\.SS "sav cases close <id>"\n(?:(?!\.SS).*\n)*\.B \\-\\-resolution <text>\nwhat was done/m)
  })

  it.runIf(needs('mandoc', 'that the manual page has no mistake'))('has no error that mandoc finds', async () => {
    const place = await workplace()
    const file = await place.write('sav.1', (await place.sav('man')).stdout)
    await promisify(execFile)('mandoc', ['-T', 'lint', '-W', 'error', file])
  })
})

describe('English names of options', () => {
  it('work like the French ones, but are not in the help or the completion', async () => {
    const shop = await readyWorkplace()
    const add = ['clients', 'add', '--name', 'Petit', '--first-name=Zoé', '--phone', '06 12 34 56 78']
    expect(await shop.json(add)).toMatchObject({ nom: 'Petit', prenom: 'Zoé', telephone: '06 12 34 56 78' })
    await shop.json(['poseurs', 'add', '--name', 'Karim Benali'])
    await shop.json('poseurs update 1 --no-active')
    expect(await shop.json('poseurs list --limit 1')).toMatchObject([{ actif: false }])
    const create = ['cases', 'create', '--client-id', '2', '--description', 'La porte du four ne ferme plus']
    await shop.json([...create, '--priority', 'haute', '--problem-type', 'reglage'])
    expect(await shop.json('cases list --status ouvert --priority haute')).toHaveLength(1)
    expect(await shop.sav('cases list --status clos')).toMatchObject({ stdout: 'No case found.\n' })
    const close = ['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--reservation', 'Rayure']
    await shop.json([...close, '--reservation', 'Joint à revoir'])
    expect(await shop.json('cases show 1')).toMatchObject({ reserves: ['Rayure', 'Joint à revoir'] })
    await shop.fails('clients add --first-name Zoé', 2, /^--nom is required\./)
    expect((await shop.sav('cases list --limit x')).stderr).toMatch(/^--limit x: .*whole number/)
    expect((await shop.sav('cases list --help')).stdout).not.toMatch(/--status|--limit\b/)
    await shop.shows('complete -- cases list --st', 0, /^--statut\t[^\n]*\n$/)
  })

  it('each belong to one existing option', () => {
    const options = optionNames()
    const names = englishNames(program())
    for (const [french, english] of names) {
      expect(options).toContain(french)
      expect([french, options.has(english)]).toEqual([french, true])
    }
    expect(new Set(names.values()).size).toBe(names.size)
  })

  it('exist for every option whose name is not English', () => {
    const known = new Set([...[...englishNames(program())].flat(), ...alreadyEnglish])
    expect([...optionNames()].filter((name) => !known.has(name))).toEqual([])
    // Fails if an option was removed, but not its name in this list.
    expect(alreadyEnglish.filter((name) => !optionNames().has(name))).toEqual([])
  })
})

/** Option names that are English already. A new option is added here, or declared with an English name. */
const alreadyEnglish = `
  account all all-accounts all-events allow-ip anchor apply backup body cancel channel clear client-id color confirm
  curl database date description dir dry-run duplicates email encoding end endpoint env-file erased erasures errors
  event events everything excel expires fields file files follow forget-webhook-secrets format forward-to from
  from-schema header host init json keep key lat limit logo lon mail map mapping metrics name notes now open output overlap page
  permissions photo port prefix profile receiver reset resolution role schema secret sequence set signature since
  siret state target to to-schema type unsealed until url user version wait watch whatsapp wide without-key worker writes yes
`
  .trim()
  .split(/\s+/)

/** The names of all options of all commands, without `--` and `no-`. */
function optionNames(): Set<string> {
  const names = new Set<string>()
  const walk = (command: Command) => {
    for (const { long } of command.options) names.add(long?.slice(2).replace(/^no-/, '') ?? '')
    command.commands.forEach(walk)
  }
  walk(program())
  return names
}

it('--open opens an address with xdg-open, or says that xdg-open is missing', async () => {
  const shop = await readyWorkplace()
  const opened = join(shop.dir, 'opened')
  await writeFile(
    join(shop.dir, 'xdg-open'),
    `#!/bin/sh\necho "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`,
    { mode: 0o755 },
  )
  const add = ['users', 'add', '--nom', 'Claire Petit', '--email', 'claire@petit.example', '--role', 'gestion']
  const { id } = await shop.json<{ id: string }>(add)
  const invite = ['users', 'invite', id, '--open']
  const { url } = await shop.json<{ url: string }>(invite, { PATH: `${shop.dir}:${process.env['PATH']}` })
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${url}\n`)
  const calendar = ['planning', 'ics', '--open']
  const ics = await shop.json<{ url: string }>(calendar, { PATH: `${shop.dir}:${process.env['PATH']}` })
  await expect.poll(() => readFile(opened, 'utf8')).toBe(`${ics.url}\n`)
  const without = await shop.sav(invite, { PATH: shop.dir.replace(/$/, '/nothing') })
  expect([without.code, without.stderr]).toEqual([0, 'The target cannot be opened here: xdg-open is missing.\n'])
})

it('sav help prints the help of the named command', async () => {
  const place = await workplace()
  const help = await place.sav('help cases list')
  expect(help).toEqual(await place.sav('cases list --help'))
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: sav cases list/) })
  expect((await place.sav('help')).stdout).toBe((await place.sav('--help')).stdout)
  await place.fails('help cases lists', 2, 'There is no command cases lists. See sav --help.\n')
})
