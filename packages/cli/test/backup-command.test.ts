import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lockFile } from '@sav/storage-kysely/backup'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { jpeg, png } from './images.js'
import { receiverOf } from './receiver.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { call, readyWorkplace, type Workplace } from './workplace.js'

const run = promisify(execFile)

interface Backup {
  readonly file: string
  readonly bytes: number
  readonly cases: number
  readonly entries: number
  readonly files: number
  readonly removed: readonly string[]
}

const descriptions = [
  'La porte du four ne ferme plus',
  'Tiroir de l’îlot à régler, côté évier, depuis la pose du plan de travail 🔧',
  'Joint silicone décollé',
]

/** Two accounts with closed cases, photos and a signature, whose webhooks and letters are not sent yet. */
async function filledShop(settings: Readonly<Record<string, string>> = {}) {
  const shop = await readyWorkplace(settings)
  const photo = await shop.write('a.jpg', jpeg)
  const signature = await shop.write('s.png', png)
  const atelier = await receiverOf(shop)
  await shop.json('accounts add lyon')
  await shop.json('clients add --nom Nguyễn --prenom Aïcha --account lyon')
  for (const [account, client] of [
    ['default', '1'],
    ['lyon', '2'],
  ] as const) {
    for (const description of descriptions) {
      const create = ['cases', 'create', '--client-id', client, '--description', description, '--photo', photo]
      const { id } = await shop.json<{ id: number }>([...create, '--account', account])
      const close = ['cases', 'close', String(id), '--resolution', 'Charnière remplacée', '--signature', signature]
      if (description !== descriptions[2]) await shop.json([...close, '--account', account])
    }
  }
  return { shop, atelier }
}

/** A filled shop whose service runs, after it has delivered all webhooks. */
async function runningShop(settings: Readonly<Record<string, string>>) {
  const { shop, atelier } = await filledShop(settings)
  const key = await shop.newKey()
  const service = shop.serve()
  const url = await service.url()
  await atelier.received(5)
  await expect.poll(() => shop.json('webhooks history --state delivered')).toHaveLength(5)
  // The worker also draws the reports, which adds a line to each case.
  await expect.poll(async () => JSON.stringify(await shop.json('cases show 1'))).toMatch(/"type":"pv"/)
  return { shop, key, url, service, atelier, delivered: atelier.events().map(({ data }) => data.event_id) }
}

const shown = async (shop: Workplace, env: Record<string, string> = {}) =>
  Promise.all(
    [
      ...['cases list', 'cases list --account lyon', 'cases show 1', 'cases list --recherche four', 'clients list'],
      ...['webhooks list', 'accounts list', 'keys list', 'evidence verify', 'evidence verify --account lyon'],
    ].map((command) => shop.json(command, env)),
  )

/** Keeps only the state of a receiver's health: its numbers change shortly after each delivery. */
const withoutNumbers = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (name, inner) => (name === 'sante' ? inner.etat : inner))

/** Expects that the restored service works, and does not repeat what was delivered before the backup. */
async function expectWorks(
  shop: Workplace,
  { atelier, delivered }: Pick<Awaited<ReturnType<typeof runningShop>>, 'atelier' | 'delivered'>,
  env: Record<string, string>,
) {
  const service = await shop.serveHere(env)
  const { id } = await shop.json<{ id: number }>(
    "cases create --client-id 1 --description 'La première après le retour'",
    env,
  )
  await expect
    .poll(() => atelier.events().filter(({ data }) => JSON.stringify(data).includes(`"id":${id},`)))
    .not.toEqual([])
  expect(await service.stop()).toBe(0)
  for (const event_id of delivered)
    expect(atelier.events().filter(({ data }) => data.event_id === event_id)).toHaveLength(1)
  expect(await shop.json('doctor', env)).toMatchObject({ secret_key: 'ok', problems: [] })
}

const kinds = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const

for (const [kind, other] of kinds)
  describe(`a backup of ${kind}`, () => {
    it(`made while a service writes is a consistent snapshot, and can be restored into ${other}`, async () => {
      const settings = kind === 'SQLite' ? {} : { SAV_DATABASE: await migratedStore() }
      const to = other === 'SQLite' ? 'sqlite:restored/sav.db' : await emptyDatabase()
      const { shop, key, url, service, atelier, delivered } = await runningShop(settings)
      const before = await shown(shop)
      let writing = true
      let written = 0
      const writer = (async () => {
        while (writing) {
          const body = { client_id: 1, description: `Une porte de plus à régler, la ${written}e` }
          expect((await call(url, key, 'POST', '/api/v1/sav', body)).status).toBe(201)
          written += 1
        }
      })()
      await expect.poll(() => written).toBeGreaterThan(3)
      await mkdir(join(shop.dir, 'backups'))
      const made = await shop.json<Backup>('backup --to backups/sav.db')
      const atLeast = written
      await expect.poll(() => written).toBeGreaterThan(atLeast)
      writing = false
      await writer
      await service.kill('SIGKILL')
      expect(made).toMatchObject({ file: join(shop.dir, 'backups/sav.db'), entries: 4, files: 0, removed: [] })
      expect(made.cases).toBeGreaterThanOrEqual(6 + 3)
      expect(made.cases).toBeLessThan(6 + written)
      const found = await stat(made.file)
      expect([found.mode & 0o777, found.size]).toEqual([0o600, made.bytes])
      expect(await readdir(join(shop.dir, 'backups'))).toEqual(['sav.db'])
      const keyText = (await readFile(join(shop.dir, 'sav-data/secret.key'), 'utf8')).trim()
      const content = await readFile(made.file)
      for (const secret of [keyText, Buffer.from(keyText, 'base64')]) expect(content.includes(secret)).toBe(false)

      const keyFile = { SAV_SECRET_KEY_FILE: 'sav-data/secret.key' }
      const restored = await shop.json(['restore', made.file, '--to', to], keyFile)
      expect(restored).toMatchObject({ cases: made.cases, entries: 4, migrations: [], broken: [], secret_key: 'ok' })
      const env = { SAV_DATABASE: to, ...keyFile }
      const after = await shown(shop, env)
      // Not compared: the lists of cases, which the writer made longer, and the keys, whose last use differs.
      expect(after.slice(2).map(withoutNumbers)).toEqual(
        before.slice(2).map((value, index) => withoutNumbers(index === 5 ? after[7] : value)),
      )
      expect(await shop.json('cases list --limite 200 --page 1', env)).toHaveLength(Math.min(200, made.cases - 3))
      await shop.fails(['restore', made.file, '--to', to], 1, /exists already|is not empty/, keyFile)
      if (other === 'SQLite') expect((await stat(join(shop.dir, 'restored/sav.db'))).mode & 0o777).toBe(0o600)
      await expectWorks(shop, { atelier, delivered }, env)
    })
  })

describe('sav backup', () => {
  it('includes the files in SAV_FILES, and says if one is missing', async () => {
    const { shop } = await filledShop({ SAV_FILES: 'files' })
    const made = await shop.json<Backup>('backup --to one.db --keep 5')
    expect(made.files).toBeGreaterThanOrEqual(4)
    const keyFile = { SAV_SECRET_KEY_FILE: 'sav-data/secret.key', SAV_FILES: 'elsewhere' }
    await shop.json('restore one.db --to sqlite:restored/sav.db', keyFile)
    const env = { SAV_DATABASE: 'sqlite:restored/sav.db', ...keyFile }
    expect(await shop.json('evidence verify --files all', env)).toEqual({ checked: 2, broken: [] })
    const [file = ''] = (await readdir(join(shop.dir, 'files/default'), { recursive: true })).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    )
    await unlink(join(shop.dir, 'files/default', file))
    await shop.shows('backup --to two.db --keep 1', 1, /1 file of the store missing in SAV_FILES/)
    expect(existsSync(join(shop.dir, 'one.db'))).toBe(true)
  })

  it('keeps the given number of backups of the same store, and deletes nothing else', async () => {
    const shop = await readyWorkplace()
    const other = await readyWorkplace()
    await mkdir(join(shop.dir, 'b'))
    const place = join(shop.dir, 'b')
    const foreign = await other.json<Backup>(['backup', '--to', `${place}/`, '--keep', '1'])
    await shop.write('b/notes.txt', 'not ours')
    await shop.write('b/.sav.db.0123456789ab.unfinished', 'left by a kill')
    const underWay = await shop.write('b/.sav.db.0123456789ac.unfinished', 'another backup, under way')
    const release = lockFile(`${underWay}-lock`)
    const made: Backup[] = []
    for (const to of ['b', 'b/monday.db', 'b', 'b/monday.db'])
      made.push(await shop.json<Backup>(['backup', '--to', to, '--keep', '2']))
    expect(made.map(({ removed }) => removed.length)).toEqual([0, 0, 1, 1])
    expect(made[2]?.removed).toEqual([made[0]?.file])
    const left = await readdir(place)
    release?.()
    expect(left.sort()).toEqual(
      [
        '.sav.db.0123456789ac.unfinished',
        '.sav.db.0123456789ac.unfinished-lock',
        'notes.txt',
        'monday.db',
        foreign.file,
        made[2]?.file ?? '',
      ]
        .map((path) => path.replace(`${place}/`, ''))
        .sort(),
    )
    await shop.fails('backup --to b/monday.db', 2, /exists already/)
    for (const taken of ['b/notes.txt', 'sav-data/sav.db']) {
      await shop.fails(['backup', '--to', taken, '--keep', '2'], 2, /not a backup of this store/)
    }
    await shop.json('backup --to sav-data --keep 1')
    expect(existsSync(join(shop.dir, 'sav-data/sav.db'))).toBe(true)
  })

  it('works without the secret key, and says that the backup then has no seal', async () => {
    const { shop } = await filledShop()
    await rm(join(shop.dir, 'sav-data/secret.key'))
    await shop.shows('backup --to b.db', 0, /no seal.*key of the store is missing.*--unsealed/)
    const restore = ['restore', 'b.db', '--to', 'sqlite:r/sav.db']
    await shop.fails(restore, 1, /has no seal: .*--unsealed/)
    await shop.shows([...restore, '--unsealed'], 0, /secret-key replace --forget-webhook-secrets/)
  })

  it('backs up a broken store too, and keeps older backups', async () => {
    const { shop } = await filledShop()
    await mkdir(join(shop.dir, 'b'))
    const first = await shop.json<Backup>('backup --to b/')
    const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
    await storage.db.updateTable('cases').set({ resolution: 'autre chose' }).where('id', '=', 1).execute()
    await storage.close()
    await shop.shows('backup --to b/ --keep 1', 1, /broken in 1 place.*Older backups are kept/)
    expect(existsSync(first.file)).toBe(true)
    expect(await readdir(join(shop.dir, 'b'))).toHaveLength(2)
  })

  it('leaves no incomplete file with the name of a backup if it is killed', async () => {
    const { shop } = await filledShop()
    const place = join(shop.dir, 'b')
    await mkdir(place)
    for (const ms of [0, 40]) {
      const backup = shop.start('backup --to b/sav.db --keep 1')
      // The backup has begun; on a busy machine it may already be complete.
      await expect.poll(async () => (await readdir(place)).length, { interval: 1 }).toBeGreaterThan(0)
      const until = performance.now() + ms
      while (performance.now() < until);
      await backup.kill('SIGKILL')
      if (existsSync(join(place, 'sav.db'))) {
        await shop.json(['restore', 'b/sav.db', '--to', `sqlite:r${ms}/sav.db`])
        await rm(join(place, 'sav.db'))
      }
      for (const name of await readdir(place)) await rm(join(place, name))
    }
  })
})

describe('sav restore', () => {
  it('refuses a file that is damaged or not a backup, and leaves no files behind', async () => {
    const { shop } = await filledShop()
    const refusal = async (file: string) => {
      const { code, stderr } = await shop.sav(['restore', file, '--to', 'sqlite:r/sav.db'])
      expect(existsSync(join(shop.dir, 'r/sav.db'))).toBe(false)
      return [code, stderr]
    }
    expect(await refusal('nowhere.db')).toEqual([3, expect.stringMatching(/There is no file .*nowhere\.db\./)])
    expect(await refusal('sav-data/sav.db')).toEqual([2, expect.stringMatching(/is not a backup made by sav/)])
    expect(await refusal('a.jpg')).toEqual([2, expect.stringMatching(/is not a backup made by sav/)])
    const { file, bytes } = await shop.json<Backup>('backup --to b.db')
    await truncate(file, Math.floor(bytes / 2))
    expect(await refusal('b.db')).toEqual([2, expect.stringMatching(/damaged/)])
    expect(await readdir(join(shop.dir, 'r')).catch(() => [])).toEqual([])
  })

  it('reads a backup from a read-only file in a read-only directory', async () => {
    const shop = await readyWorkplace()
    await shop.fails('backup --to ro/b.db', 2, /^--to ro\/b\.db: there is no directory .*ro\. Make it, or mount/)
    for (const to of ['ro/', 'ro', 'sav-data/ro'])
      await shop.fails(['backup', '--to', to], 2, /there is no directory .*ro\. Make it, or mount/)
    await mkdir(join(shop.dir, 'ro'))
    await shop.json('backup --to ro/b.db')
    await copyFile(join(shop.dir, 'ro/b.db'), join(shop.dir, 'ro/c.db'))
    await chmod(join(shop.dir, 'ro/c.db'), 0o444)
    await chmod(join(shop.dir, 'ro'), 0o555)
    await shop.json('restore ro/c.db --to sqlite:r/sav.db')
    expect((await stat(join(shop.dir, 'r/sav.db'))).mode & 0o777).toBe(0o600)
    await run('chmod', ['755', join(shop.dir, 'ro')])
  })
})
