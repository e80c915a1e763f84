import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.js'
import { commandsOf, neededBy } from './typed.js'
import { readyWorkplace, type Workplace, workplace } from './workplace.js'

const file = (shop: Workplace) => join(shop.dir, 'sav-data/sav.db')

async function withFile(content: string | Uint8Array): Promise<Workplace> {
  const shop = await workplace()
  await mkdir(join(shop.dir, 'sav-data'))
  await writeFile(file(shop), content)
  return shop
}

/** Runs a statement on the store, as another program or release might have done. */
async function changed(shop: Workplace, statement: string): Promise<Workplace> {
  const database = new DatabaseSync(file(shop))
  database.exec(statement)
  database.close()
  return shop
}

/** A store on which the last migration of this release has not run. */
const olderStore = async () =>
  changed(
    await readyWorkplace(),
    `drop table a_traiter; drop index cases_cloture; drop index case_history_reouverture; drop index interventions_date;
      drop trigger cases_words_changed; drop trigger cases_words_removed; drop table cases_words;
      drop trigger clients_words_changed; drop trigger clients_words_removed; drop table clients_words;
      delete from sav_migration where name = '0011-insight'`,
  )

/** A store in which every page but the first is overwritten. */
async function damagedStore(): Promise<Workplace> {
  const shop = await readyWorkplace()
  const bytes = await readFile(file(shop))
  await writeFile(file(shop), bytes.fill(0xa5, 4096))
  return shop
}

interface UnfitStore {
  readonly make: () => Promise<Workplace>
  readonly code: number
  readonly says: RegExp
  /** Commands that make a store of the file, or can work with the store as it is. */
  readonly taken: readonly string[]
  /** Whether every command is tried, instead of one for each way to open a store. */
  readonly isWalked?: true
}

const making = ['init', 'serve']

const unfit: Readonly<Record<string, UnfitStore>> = {
  missing: {
    make: () => workplace(),
    code: 5,
    says: /no store at .*: run `sav init` first/,
    taken: making,
    isWalked: true,
  },
  empty: { make: () => withFile(''), code: 5, says: /no store at .*: run `sav init` first/, taken: making },
  'of an older release': {
    make: () => olderStore(),
    code: 5,
    says: /(lacks|are pending) .*: run `sav migrate`/,
    taken: [...making, 'worker', 'migrate', 'backup'],
  },
  'of a newer release': {
    make: async () =>
      changed(await readyWorkplace(), `insert into sav_migration values ('9002-breaks-facts', '2036-01-01')`),
    code: 1,
    says: /belongs to a newer release of sav \(9002-breaks-facts\): use that release, or restore/,
    taken: [],
    isWalked: true,
  },
  foreign: {
    make: async () => changed(await withFile(''), 'create table orders (id integer)'),
    code: 1,
    says: /no store at .*, but tables of another program \(orders\): point SAV_DATABASE to another file/,
    taken: [],
  },
  'that is no database': {
    make: () => withFile('name,city\n'.repeat(1000)),
    code: 1,
    says: /is not a SQLite database: point SAV_DATABASE to another file/,
    taken: [],
  },
  damaged: { make: damagedStore, code: 1, says: /damaged.*restore/i, taken: [] },
}

/** Commands that do not open an existing store. */
const elsewhere = [
  ...['completion', 'complete', 'login', 'logout', 'profiles', 'man', 'help', 'top', 'restore', 'webhooks verify'],
]

/** Further options that a command checks before it opens its store. */
const besides: Readonly<Record<string, readonly string[]>> = {
  copy: ['--from', 'sqlite:sav-data/sav.db', '--to', 'sqlite:to.db'],
  'secret-key replace': ['--forget-webhook-secrets'],
}

const declared = commandsOf(createProgram({ stdout: process.stdout } as never, async () => {}))
const onStore = declared.filter(({ words }) => !elsewhere.includes(words.join(' ')))

/** One command for each way to open a store. */
const ways = [
  ...['cases list', 'cases create', 'worker', 'serve', 'doctor', 'backup', 'copy', 'migrate', 'keys create', 'init'],
]

describe.each(Object.entries(unfit))('a store %s', (_, { make, code, says, taken, isWalked }) => {
  it('is refused by commands with a sentence that says what to do, and no command makes a new store', async () => {
    const shop = await make()
    await shop.write('clients.csv', 'nom,prenom\nPetit,Zoé\n')
    await shop.write('endpoints.json', '[]')
    const before = existsSync(file(shop))
    const wrong: unknown[] = []
    for (const each of onStore) {
      const name = each.words.join(' ')
      if (taken.includes(name) || !(isWalked || ways.includes(name))) continue
      const { args, options } = neededBy(each)
      const yes = each.command.options.some(({ long }) => long === '--yes') ? ['--yes'] : []
      const words = name === 'webhooks import' ? ['endpoints.json'] : args
      const argv = [...each.words, ...words, ...Object.entries(options).flat(), ...(besides[name] ?? []), ...yes]
      const ran = await shop.sav(argv, { SAV_PUBLIC_URL: 'https://sav.example' }, { stopAtOnce: true })
      const said = name === 'doctor' ? ran.stdout.replaceAll(/\s+/g, ' ') : ran.stderr
      const isOneSentence = name === 'doctor' || said.trim().split('\n').length === 1
      if (ran.code !== code || !says.test(said) || !isOneSentence || /\n +at /.test(said))
        wrong.push([name, ran.code, said.slice(0, 400)])
    }
    expect(wrong).toEqual([])
    expect(existsSync(file(shop))).toBe(before)
    expect(await readdir(shop.dir)).not.toContain('to.db')
  })
})

it('the list of commands that work on a store has at least 91, among them those that are always tried', () => {
  expect(onStore.map(({ words }) => words.join(' '))).toEqual(expect.arrayContaining(ways))
  expect(onStore.length).toBeGreaterThan(90)
})
