import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Faker, fr } from '@faker-js/faker'
import Database from 'better-sqlite3'
import { alternate, ceiling, type Row, rate, type Settings } from '#bench'
import { logOf, runPart, runSav, scratch } from '#processes'
import { copyShop, creations } from '#shop'
import { fileOf, type ShopEnv, shopEnv } from '#shop-env'

const rounds = 3
const clients = 5000
const poseurs = 20
const cases = 10_000
const files = ['clients.csv', 'poseurs.csv', 'dossiers.csv']
/** What an import leaves, in an order in which it can be inserted. */
const tables = [
  'clients',
  'poseurs',
  'cases',
  'case_history',
  'evidence_snapshots',
  'evidence_entries',
  'imported_rows',
]
/** They are of a store, and beside its commits. */
const words = ['clients_words', 'cases_words']
/** As many as `sav import` writes at once. */
const batchRows = 200
/** Says at the end of the command how much memory it had at most. TypeScript would take 10 MB of it to be read. */
const watch = `--import=data:text/javascript,${encodeURIComponent(
  `import { peakMemory } from '${new URL('../../../test/peak-memory.mjs', import.meta.url)}'
  process.on('exit', () => process._rawDebug('peak ' + peakMemory()))`,
)}`

/**
 * `sav import`, from its start to its end, of 5,000 clients, 20 poseurs and 10,000 cases as CSV, two in three of them closed.
 * Beside it everything that this leaves in the store, from memory, as many rows in a transaction: into the same tables with
 * their indexes, and (`bare`) into tables without any. Then the most memory that the command has for 100,000 cases. About 2 min.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  const empty = shopEnv(folder.path)
  await runSav(['init'], { folder: folder.path, env: empty })
  using first = scratch()
  await importInto(first.path, empty, cases)
  const imported = fileOf(shopEnv(first.path))
  const again = async () => {
    using scratched = scratch()
    return (await importInto(scratched.path, empty, cases)).perSecond
  }
  const beside = (indexed: boolean) =>
    alternate({
      rounds,
      subject: again,
      baseline: () => runPart(import.meta.url, insertRows, { imported, indexed }),
      say,
    })
  const rows = [
    rate('import', 'rows/s', await beside(true), 0.2),
    rate('import-bare', 'rows/s', await beside(false), null),
  ]
  using large = scratch()
  const { perSecond, peakMb } = await importInto(large.path, empty, 100_000)
  say(`100,000 cases: ${Math.round(perSecond)} rows/s`)
  return [...rows, ceiling('import-memory', 'MB at most', peakMb, 150)]
}

async function importInto(
  folder: string,
  empty: ShopEnv,
  count: number,
): Promise<{ perSecond: number; peakMb: number }> {
  writeFiles(folder, count)
  const env = { ...copyShop(empty, folder), NODE_OPTIONS: watch }
  const start = performance.now()
  await runSav(['import', ...files], { folder, env })
  const seconds = (performance.now() - start) / 1000
  const peakMb = Number(/^peak (\d+)$/m.exec(logOf(folder))?.[1]) / 1024
  return { perSecond: (clients + poseurs + count) / seconds, peakMb }
}

function writeFiles(folder: string, count: number): void {
  const faker = new Faker({ locale: fr, seed: 3 })
  const { person, location, phone } = faker
  const table = (name: string, headings: string, length: number, row: (n: number) => readonly (string | number)[]) => {
    const lines = [headings]
    for (let n = 0; n < length; n += 1)
      lines.push(
        row(n)
          .map((cell) => `"${cell}"`)
          .join(';'),
      )
    writeFileSync(join(folder, name), `${lines.join('\r\n')}\r\n`)
  }
  table('clients.csv', 'N° client;Nom;Prénom;Mél;Tél.;Adresse;CP;Ville', clients, (n) => [
    ...[n, person.lastName(), person.firstName(), `client${n}@example.com`, phone.number()],
    ...[location.streetAddress(), location.zipCode(), location.city()],
  ])
  table('poseurs.csv', 'Nom;Email', poseurs, (n) => [`${person.lastName()} ${n}`, `poseur${n}@example.com`])
  const sent = creations(2000)
  const day = (n: number, year: number) => `${1 + (n % 28)}/${1 + (n % 12)}/${year}`
  table('dossiers.csv', 'N°;N° client;Problème;Urgence;État;Ouvert le;Clos le;Résolution', count, (n) => {
    const { description, priorite } = sent[n % sent.length] ?? { description: '', priorite: '' }
    const end =
      n % 3 === 0 ? ['En cours', day(n, 2024), '', ''] : ['Fermé', day(n, 2023), day(n, 2025), 'Charnières réglées.']
    return [`TK${n}`, n % clients, description, priorite, ...end]
  })
}

/** How many rows of the files a second are inserted, with everything that an import of them leaves. */
export async function insertRows({ imported, indexed }: { imported: string; indexed: boolean }): Promise<number> {
  const source = new Database(imported, { readonly: true })
  using bare = scratch()
  const file = join(bare.path, 'bare.db')
  if (indexed) copyFileSync(imported, file)
  const db = new Database(file)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  if (indexed) for (const table of [...words, ...tables.toReversed()]) db.exec(`delete from ${table}`)
  const work = tables.map((table) => {
    const rows = source.prepare<[], object>(`select * from ${table}`).all()
    const columns = Object.keys(rows[0] ?? {})
    if (!indexed) db.exec(`create table ${table} (${columns.join(', ')})`)
    return { rows, insert: db.prepare(`insert into ${table} values (${columns.map((name) => `:${name}`).join(', ')})`) }
  })
  const insertAll = db.transaction(({ rows, insert }: (typeof work)[number]) => {
    for (const row of rows) insert.run(row)
  })
  if (indexed) db.exec('vacuum')
  db.pragma('wal_checkpoint(truncate)')
  const start = performance.now()
  for (const { rows, insert } of work) while (rows.length > 0) insertAll({ rows: rows.splice(0, batchRows), insert })
  const perSecond = (clients + poseurs + cases) / ((performance.now() - start) / 1000)
  db.close()
  return perSecond
}
