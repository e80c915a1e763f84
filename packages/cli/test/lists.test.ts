import type { Command } from 'commander'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.js'
import { readyWorkplace, type Workplace } from './workplace.js'

const words = (command: Command): string[] =>
  command.parent === null ? [] : [...words(command.parent), command.name()]

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)]

const lists = everyCommand(createProgram({ stdout: process.stdout } as never, async () => {}))
  .filter(({ options }) => options.some(({ long }) => long === '--fields'))
  .map(words)

const long = (text: string) => `${text} ${'très long à lire jusqu’au bout '.repeat(6)}`.slice(0, 110).trimEnd()
const receiver = `http://127.0.0.1:9/${'apres-vente/'.repeat(12)}`
const permissions = 'sav:read,sav:write,directory:read,directory:write,planning:read,planning:write,webhooks:read'

/** Matches an id or a reference that a table has cut off. */
const cutId = /(?:\b[a-z]{2,5}_[A-Za-z0-9_-]+|\bSAV-[\d-]+)…/

/** A shop with a long text in every field that a person may fill. Also returns the arguments that some lists need. */
async function longShop(): Promise<{ shop: Workplace; besides: Readonly<Record<string, readonly string[]>> }> {
  const shop = await readyWorkplace({ SAV_WEBHOOK_ALLOW_LOCAL: '1' })
  await shop.json(['accounts', 'update', '--raison-sociale', long('Cuisines Martin')])
  await shop.json(['accounts', 'add', `lyon-${'est-'.repeat(8)}1`])
  const place = ['--ligne1', long('12 rue des Lilas'), '--code-postal', '69003', '--ville', 'Lyon']
  const nom = ['--nom', long('Durand-Vasseur'), '--prenom', long('Éléonore-Marie')]
  const email = `${'eleonore.'.repeat(6)}durand@cuisines-martin.example`
  const more = ['--email', email, '--telephone', '+33 6 12 34 56 78', '--adresse', long('12 rue des Lilas')]
  await shop.json(['clients', 'add', ...nom, ...more, ...place])
  await shop.json('clients erase 1 --yes')
  await shop.json(['poseurs', 'add', '--nom', long('Karim Benali')])
  await shop.json(['users', 'add', '--nom', long('Claire Petit'), '--email', email, '--role', 'administration'])
  await shop.json(['keys', 'create', '--name', long('ERP'), '--permissions', permissions])
  const events = 'sav.created,sav.updated,sav.closed,sav.status_changed,rdv.created'
  const { id } = await shop.json<{ id: string }>(['webhooks', 'add', receiver, '--events', events])
  const problem = ['--client-id', '2', '--priorite', 'urgente', '--description', long('La porte du four ne ferme plus')]
  await shop.json(['cases', 'create', ...problem])
  await shop.json('cases update 1 --poseur-id 1 --statut en_cours')
  const visit = ['--poseur-id', '1', '--debut', '2027-01-12T09:00', '--duree', '90', '--sav-id', '1']
  await shop.json(['planning', 'book', ...visit])
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
  await shop.workHere()
  await shop.sav(['webhooks', 'test', id, '--wait'])
  const { url } = await shop.serveHere()
  const { key } = await shop.json<{ key: string }>('keys create --name moi --permissions admin')
  expect((await shop.sav(['login', url, '--profile', 'lyon'], { SAV_API_KEY: key, HOME: shop.dir })).code).toBe(0)
  const { id: user } = (await shop.json<{ id: string }[]>('users list'))[0] ?? { id: '' }
  const invited = await shop.json<{ url: string }>(['users', 'invite', user])
  const { origin, hash } = new URL(invited.url)
  await fetch(`${origin}/app/session/invitation`, {
    method: 'POST',
    headers: {
      origin,
      'x-sav-console': '1',
      'content-type': 'application/json',
      'user-agent': long('Mozilla/5.0').replaceAll('’', '-'),
    },
    body: JSON.stringify({ token: hash.slice(1) }),
  })
  const besides = {
    'planning day': ['--date', '2027-01-12'],
    'planning slots': ['--duree', '60', '--du', '2027-01-12', '--code-postal', '69003'],
    'users sessions': [user],
  }
  return { shop, besides }
}

describe('every list', () => {
  it('fits 80 and 140 columns with one line for each row and whole ids, however long the texts are', async () => {
    const { shop, besides } = await longShop()
    const home = { HOME: shop.dir, NO_COLOR: '1' }
    expect(lists.length).toBeGreaterThan(14)
    for (const list of lists) {
      const called = [...list, ...(besides[list.join(' ')] ?? [])]
      const rows = await shop.json<readonly object[]>(called, home)
      expect([list, rows.length]).not.toEqual([list, 0])
      const linesAt = async (columns: number, ...flags: string[]) => {
        const { code, stdout } = await shop.sav([...called, ...flags], home, { columns })
        expect([list, code]).toEqual([list, 0])
        return stdout.trimEnd().split('\n')
      }
      const isHead = (line: string) => /^[A-Z]/.test(line) && !/^(Times|Page)/.test(line)
      const narrow = await linesAt(80)
      for (const [columns, lines] of [
        [80, narrow],
        [140, await linesAt(140)],
      ] as const) {
        const widest = Math.max(...lines.map((line) => stringWidth(line)))
        expect([list, columns, widest <= columns]).toEqual([list, columns, true])
        expect(lines.filter((line) => cutId.test(line))).toEqual([])
        const head = lines.findIndex(isHead)
        const end = lines.indexOf('', head)
        expect([list, lines.slice(head + 1, end < 0 ? undefined : end).length]).toEqual([list, rows.length])
      }
      const columnsOf = (lines: readonly string[]) => lines.find(isHead)?.split(/ {2,}/).length ?? 0
      expect([list, columnsOf(await linesAt(80, '--wide')) >= columnsOf(narrow)]).toEqual([list, true])
      const [first = '', second = ''] = Object.keys(rows[0] ?? {})
      expect(
        Object.keys((await shop.json<object[]>([...called, '--fields', `${second},${first}`], home))[0] ?? {}),
      ).toEqual([second, first])
      expect((await linesAt(80, '--fields', first)).find(isHead)).not.toContain('  ')
    }
  })

  it('shows only the fields that --fields names, and lists the known fields if one is unknown', async () => {
    const shop = await readyWorkplace()
    const named = await shop.sav(['clients', 'list', '--fields', 'whatsapp, nom'], { NO_COLOR: '1' }, { columns: 80 })
    expect(named.stdout).toMatch(/^WHATSAPP {2}NOM\nfalse {5}Durand\n/)
    expect(await shop.json('clients list --all --fields nom')).toEqual([{ nom: 'Durand' }])
    const unknown = await shop.sav('clients list --fields nom,couleur --json')
    expect([unknown.code, unknown.stdout]).toEqual([2, ''])
    expect(unknown.stderr).toMatch(/--fields couleur: there is no such field. The fields are id, nom, prenom, /)
  })
})
