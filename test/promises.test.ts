import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../packages/cli/test/program.js'
import { readyWorkplace } from '../packages/cli/test/workplace.js'
import { exitCodes } from '../packages/command/src/process/outcome.js'
import { openApiOf } from '../packages/http-node/src/api/openapi.js'
import { events, declaredPermissions as permissions } from './whole/permissions.js'
import { routes } from './whole/routes.js'

const root = join(import.meta.dirname, '..')

/**
 * docs/upgrading.md promises that later releases keep the commands and exports of earlier ones. The lists of test/kept
 * record them. With `SAV_TEST_KEEP=1`, a release adds its own commands and exports. Nothing is ever removed from the
 * lists.
 */
const keeps = process.env['SAV_TEST_KEEP'] === '1'

function expectKept(list: string, now: readonly string[]) {
  const file = join(root, 'test/kept', `${list}.txt`)
  const before = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  expect(before.filter((line) => !now.includes(line))).toEqual([])
  if (keeps) writeFileSync(file, `${[...new Set([...before, ...now])].sort().join('\n')}\n`)
}

type Program = ReturnType<typeof createProgram>

/** Each command with each of its options, in both languages: `cases list --statut`. */
function* wordsOf(command: Program, path: readonly string[] = []): Generator<string> {
  const words = path.join(' ')
  if (words !== '') yield words
  for (const { long, short } of command.options)
    for (const flag of [long, short]) if (flag) yield `${words} ${flag}`.trim()
  for (const alias of path.length > 0 ? command.aliases() : []) yield [...path.slice(0, -1), alias].join(' ')
  for (const child of command.commands) yield* wordsOf(child, [...path, child.name()])
}

describe('the command', () => {
  it('keeps its commands, options and exit codes', () => {
    const nowhere = { write: () => true }
    const io = { stdout: nowhere, stderr: nowhere } as unknown as Parameters<typeof createProgram>[0]
    const words = [...wordsOf(createProgram(io, async () => {}))]
    expect(words).toContain('cases list --statut')
    const codes = Object.entries(exitCodes).map(([name, code]) => `exit ${code} ${name}`)
    expectKept('commands', [...words, ...codes])
  })

  it('keeps the fields that it prints as JSON', async () => {
    const shop = await readyWorkplace()
    const fields: string[] = []
    const told = async (...args: string[]) => {
      const name = args.filter((each) => /^[a-z-]+$/.test(each)).slice(0, 2)
      fields.push(...fieldsOf(await shop.json(args)).map((field) => `${name.join(' ')}: ${field}`))
    }
    await told('clients', 'add', '--nom', 'Petit', '--prenom', 'Anne')
    await told('poseurs', 'add', '--nom', 'Karim Benali')
    await told('cases', 'create', '--client-id', '1', '--description', 'La porte du four frotte')
    await told('planning', 'book', '--poseur-id', '1', '--sav-id', '1', '--duree', '90', '--debut', '2035-01-09T09:00')
    await told('cases', 'close', '1', '--resolution', 'Charnière réglée')
    await told('webhooks', 'add', 'https://receiver.example/hook', '--all-events')
    await told('keys', 'create', '--name', 'site', '--permissions', 'sav:read')
    await told('users', 'add', '--nom', 'Claire Petit', '--email', 'claire@shop.example', '--role', 'administration')
    for (const group of ['cases', 'clients', 'poseurs', 'webhooks', 'keys', 'users', 'accounts', 'audit'])
      await told(group, 'list')
    await told('cases', 'show', '1')
    await told('planning', 'week', '--date', '2035-01-08')
    await told('evidence', 'verify')
    await told('backup', '--to', 'copy.db')
    await told('migrate', '--dry-run')
    await told('doctor')
    expectKept('json-fields', [...new Set(fields)])
  })
})

/** The paths of a value's fields. For a list, the fields of all its entries. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => fieldsOf(each, `${path}[]`))
  if (typeof value !== 'object' || value === null) return path === '' ? [] : [path]
  return Object.entries(value).flatMap(([name, each]) => [
    ...(path === '' ? [name] : [`${path}.${name}`]),
    ...fieldsOf(each, path === '' ? name : `${path}.${name}`),
  ])
}

it('the packages still export every name that they ever exported', () => {
  const names = readdirSync(join(root, 'etc')).flatMap((file) => {
    const entries = readFileSync(join(root, 'etc', file), 'utf8').split(/^## (?=@sav)/m)
    return entries.slice(1).flatMap((entry) => {
      const [name = ''] = entry.split('\n')
      const exported = entry.matchAll(/^(?:abstract )?(?:class|const|function|interface|type) (\w+)/gm)
      return [...new Set([...exported].map(([, of]) => `${name} ${of}`))]
    })
  })
  expect(names).toContain('@sav/core SavError')
  expectKept('exports', names)
})

it.runIf(keeps)('a release stores its contract, which all later releases must keep', () => {
  const { info, ...contract } = openApiOf(routes, { events, permissions })
  // The version differs in each release, so it is not compared.
  const kept = JSON.stringify({ ...contract, info: { ...info, version: 'kept' } })
  writeFileSync(join(root, 'packages/http-node/src/api/openapi.kept.json.gz'), gzipSync(kept, { level: 9 }))
})
