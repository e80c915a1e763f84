import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { refuseForeign } from '../../command/src/store/database.js'
import { emptyDatabase } from './stores.js'
import { readyWorkplace, workplace } from './workplace.js'

describe('sav init', () => {
  it('makes the store, a key that only its owner can read, and the account', async () => {
    const shop = await workplace()
    const made = await shop.json('init')
    const keyFile = join(shop.dir, 'sav-data/secret.key')
    expect(made).toMatchObject({ secret_key_file: keyFile, secret_key_made: true, account_added: true })
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await readFile(keyFile, 'utf8'), 'base64')).toHaveLength(32)
    expect(await shop.json('accounts list')).toMatchObject([{ id: 'default' }])
    expect((await shop.sav('doctor')).code).toBe(0)
  })

  it('changes nothing the second time', async () => {
    const shop = await readyWorkplace()
    const key = await readFile(join(shop.dir, 'sav-data/secret.key'))
    expect(await shop.json('init')).toMatchObject({ migrations: [], secret_key_made: false, account_added: false })
    expect(await readFile(join(shop.dir, 'sav-data/secret.key'))).toEqual(key)
    expect(await shop.json('clients list')).toHaveLength(1)
  })

  it('makes only one store when several run at the same moment', async () => {
    const shop = await workplace()
    const ran = await Promise.all([1, 2, 3].map(() => shop.start('init --json').ended()))
    expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ran.map(() => ({ code: 0, stderr: '' })))
    const made = ran.map(({ stdout }) => JSON.parse(stdout))
    expect(made.filter(({ secret_key_made }) => secret_key_made)).toHaveLength(1)
    expect(made.filter(({ account_added }) => account_added)).toHaveLength(1)
    expect((await shop.sav('doctor')).code).toBe(0)
  })

  it('recognises a store that another process makes during the check', async () => {
    const path = join((await workplace()).dir, 'sav.db')
    const storage = await openSqlite(path)
    const hasTables = async () => {
      const had = await storage.hasTables()
      await storage.migrate()
      return had
    }
    await refuseForeign(
      { ...storage, hasTables },
      { tables: async () => [], kind: 'sqlite', name: path, path, prefix: '' },
    )
    await storage.close()
  })

  it('asks for the first data at a terminal, again after a refused answer, but not in later runs', async () => {
    const shop = await workplace()
    const answers = ['Cuisines Petit', 'nowhere', 'contact@petit.example', 'Claire Petit', 'claire@petit.example']
    const asked: string[] = []
    const person = {
      ask: async () => true,
      async askFor(question: string) {
        asked.push(question)
        return answers[asked.length - 1] ?? ''
      },
    }
    const { code, stdout, stderr } = await shop.sav('init', {}, person)
    expect([code, asked.length]).toEqual([0, 5])
    expect(stderr).toMatch(/email: must be an e-mail address/)
    expect(stdout).toMatch(/^Link +http:\S+\/app\/connexion#sav_inv_/m)
    expect(stdout).toMatch(/^Key +sav_live_/m)
    const [account] = await shop.json<object[]>('accounts list')
    expect(account).toMatchObject({ raison_sociale: 'Cuisines Petit', email: 'contact@petit.example' })
    expect(await shop.json('users list')).toMatchObject([{ nom: 'Claire Petit', role: 'administration' }])
    await shop.sav('init', {}, person)
    expect(asked).toHaveLength(5)
  })

  it('skips a question that is answered with an empty line, and asks nothing with --yes', async () => {
    for (const args of [['init'], ['init', '--yes']]) {
      const shop = await workplace()
      let asked = 0
      const person = {
        ask: async () => false,
        async askFor() {
          asked += 1
          return ''
        },
      }
      expect(await shop.sav(args, {}, person)).toMatchObject({ code: 0 })
      expect(asked).toBe(args.length === 1 ? 3 : 0)
      expect(await shop.json('users list')).toEqual([])
    }
  })

  it('uses the key in SAV_SECRET_KEY instead of making a key file', async () => {
    const shop = await workplace()
    const env = { SAV_SECRET_KEY: Buffer.alloc(32, 5).toString('base64') }
    expect(await shop.json('init', env)).toMatchObject({ secret_key_file: null, secret_key_made: false })
    expect(existsSync(join(shop.dir, 'sav-data/secret.key'))).toBe(false)
    expect((await shop.sav('cases list', env)).code).toBe(0)
  })
})

describe('a store', () => {
  it('that a program keeps in a part of a database is pointed out, and can be used with --prefix or --schema', async () => {
    const shop = await workplace()
    const file = join(shop.dir, 'program.db')
    const url = await emptyDatabase()
    for (const storage of [await openSqlite(file, { prefix: 'sav_' }), await openPostgres(url, { schema: 'sav' })]) {
      await storage.migrate()
      await storage.close()
    }
    const said = async (database: string) => (await shop.sav(['cases', 'list', '--database', database])).stderr
    expect(await said(`sqlite:${file}`)).toMatch(
      /There is no store at .* has a store whose tables begin with sav_, .*: --prefix sav_ names it/,
    )
    expect(await said(url)).toMatch(/There is no store at .* has a store in the schema sav, .*: --schema sav names it/)
    expect(await said(await emptyDatabase())).not.toMatch(/has a store/)

    const [prefix, schema] = [
      ['--database', `sqlite:${file}`, '--prefix', 'sav_'],
      ['--database', url, '--schema', 'sav'],
    ] as const
    const env = { SAV_SECRET_KEY: randomBytes(32).toString('base64') }
    for (const [place, to] of [
      [prefix, 'file.db'],
      [schema, 'server.db'],
    ] as const) {
      const run = async (...command: string[]) => {
        const { code, stderr } = await shop.sav([...command, ...place], env)
        expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
      }
      await run('init')
      await run('clients', 'add', '--nom', 'Durand', '--prenom', 'Hélène')
      await run('cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus')
      await run('backup', '--to', to)
      const { stdout } = await shop.sav(['cases', 'list', '--json', '--database', `sqlite:${join(shop.dir, to)}`], env)
      expect(stdout).toBe('')
      expect((await shop.sav(['restore', to, '--to', `sqlite:again-${to}`], env)).code).toBe(0)
      expect(await shop.json(['cases', 'list', '--database', `sqlite:again-${to}`], env)).toHaveLength(1)
    }
    const misplaced = ['cases', 'list', '--database', `sqlite:${file}`, '--schema', 'sav']
    expect((await shop.sav(misplaced)).stderr).toMatch(/^SAV_SCHEMA: .* use --prefix/)
  })

  it('is completed by sav init after an interruption', async () => {
    const shop = await workplace()
    await shop.write('half.db', '')
    const database = ['--database', 'sqlite:half.db']
    expect((await shop.sav(['cases', 'list', ...database])).stderr).toMatch(/run `sav init` first/)
    expect((await shop.sav(['init', ...database])).code).toBe(0)
    expect((await shop.sav(['cases', 'list', ...database])).code).toBe(0)
  })

  it('is not made while the key file links to an unmounted volume', async () => {
    const shop = await workplace()
    await mkdir(join(shop.dir, 'sav-data'))
    await symlink('../volume/secret.key', join(shop.dir, 'sav-data/secret.key'))
    for (const command of [['init'], ['serve', '--port', '0']]) {
      const { code, stderr } = await shop.sav(command)
      expect([command, code]).toEqual([command, 1])
      expect(stderr).toMatch(
        /^\S+sav-data\/secret\.key is a link whose target is missing: mount its volume, or remove the link\.$/m,
      )
      expect(existsSync(join(shop.dir, 'sav-data/sav.db'))).toBe(false)
    }
    await mkdir(join(shop.dir, 'volume'))
    await shop.write('volume/secret.key', Buffer.alloc(32, 9).toString('base64'))
    expect((await shop.sav('init')).code).toBe(0)
  })

  it('refuses another secret key, and says which one it needs', async () => {
    const shop = await readyWorkplace()
    await shop.write('sav-data/secret.key', `${Buffer.alloc(32, 9).toString('base64')}\n`)
    const other = /made with the secret key [0-9a-f]{16}, and .*secret\.key holds [0-9a-f]{16}: restore it/
    for (const command of ['worker', 'serve --port 0', 'init', 'demo --receiver http://a'])
      await shop.fails(command, 1, other)
  })

  it('is made by a service that finds neither a store nor a key, and the service logs it', async () => {
    const shop = await workplace()
    await shop.fails('serve --port 0 --no-init', 5, /^There is no store at .*: run `sav init`/)
    expect(existsSync(join(shop.dir, 'sav-data'))).toBe(false)
    const service = shop.serve()
    await service.url()
    const { stderr } = await service.kill('SIGTERM')
    expect(stderr).toMatch(/"msg":"Made the store \S*sav-data\/sav\.db\."/)
    expect(stderr).toMatch(/"msg":"Made the secret key \S*secret\.key: back it up apart/)
    const again = await shop.serveHere({ SAV_LOG_LEVEL: 'info' })
    expect(await again.stop()).toBe(0)
  })

  it('is not made by a service that has a key, since the key’s store may be on an unmounted volume', async () => {
    const shop = await readyWorkplace()
    const key = (await readFile(join(shop.dir, 'sav-data/secret.key'), 'utf8')).trim()
    const elsewhere = { SAV_DATABASE: 'sqlite:volume/sav.db' }
    for (const [env, named] of [
      [
        { SAV_SECRET_KEY_FILE: 'sav-data/secret.key', ...elsewhere },
        /\(\S+secret\.key\), but no store at \S+volume\/sav\.db\. Is/,
      ],
      [{ SAV_SECRET_KEY: key, ...elsewhere }, /\(SAV_SECRET_KEY\), but no store at \S+volume\/sav\.db\. Is/],
    ] as const) {
      for (const command of [
        ['serve', '--port', '0'],
        ['serve', '--port', '0', '--no-init'],
      ]) {
        const { code, stderr } = await shop.sav(command, env)
        expect([command, code]).toEqual([command, command.length === 3 ? 1 : 5])
        expect(stderr).toMatch(command.length === 3 ? named : /^There is no store/)
      }
      expect(existsSync(join(shop.dir, 'volume'))).toBe(false)
    }
    expect(await shop.json('init', { SAV_SECRET_KEY: key, ...elsewhere })).toMatchObject({ secret_key_made: false })
    expect(await (await shop.serveHere({ SAV_SECRET_KEY: key, ...elsewhere })).stop()).toBe(0)
  })

  it('can be read despite an invalid key file, but commands that need the key are refused', async () => {
    const shop = await readyWorkplace()
    await shop.write('sav-data/secret.key', 'garbage')
    for (const command of [['worker'], ['serve', '--port', '0'], ['init'], ['webhooks', 'test', 'wh_1']]) {
      const { code, stderr } = await shop.sav(command)
      expect([command, code === 0]).toEqual([command, false])
      if (command[0] !== 'webhooks') expect(stderr).toMatch(/does not hold 32 bytes in base64 on each line: restore it/)
    }
    for (const reads of ['cases list', 'webhooks list', 'webhooks history', 'evidence verify'])
      expect([reads, await shop.sav(reads)]).toMatchObject([reads, { code: 0, stderr: '' }])
    expect(await shop.json('backup --to b.db')).toMatchObject({ sealed_by: null })
    const restore = ['restore', 'b.db', '--to', 'sqlite:r.db']
    expect((await shop.sav(restore)).stderr).toMatch(/does not hold 32 bytes/)
    expect((await shop.sav([...restore, '--unsealed'])).code).toBe(0)
    await shop.shows('doctor', 1, /Problem: The store was made with .* does not hold 32 bytes/)
  })

  it('on an older schema can be backed up, but not served without a migration', async () => {
    const shop = await readyWorkplace()
    const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
    await storage.db.$extendTables<{ sav_migration: { name: string } }>().deleteFrom('sav_migration').execute()
    const migrations = await storage.pendingMigrations()
    await storage.close()
    const off = { SAV_AUTO_MIGRATE: '0' }
    const first = /^The store lacks 0001-accounts.*: run `sav migrate` first\.\n$/
    expect((await shop.sav('serve --port 0', off)).stderr).toMatch(first)
    expect((await shop.sav('worker', off)).stderr).toMatch(first)
    // Counts only the core's migrations, since the store does not say which features it has.
    const doctor = await shop.sav('doctor --json')
    expect([doctor.code, JSON.parse(doctor.stdout)]).toMatchObject([5, { pending_migrations: 8 }])
    expect(await shop.json('migrate --dry-run')).toEqual({ migrations, dry_run: true })
    expect(await shop.json('backup --to b.db')).toMatchObject({ cases: 0 })
  })
})

describe('sav doctor', () => {
  it('shows the settings in force, without secrets', async () => {
    const shop = await readyWorkplace()
    const key = await readFile(join(shop.dir, 'sav-data/secret.key'), 'utf8')
    const { stdout } = await shop.sav('doctor --json', { SAV_SECRET_KEY: key.trim() })
    expect(stdout).not.toContain(key.trim())
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.versions.node,
      journal_mode: 'wal',
      synchronous: 'FULL',
      pending_migrations: 0,
      secret_key: 'ok',
      oldest_due_at: null,
      problems: [],
      warnings: [],
    })
  })

  it('warns of keys that expire within 30 days', async () => {
    const shop = await readyWorkplace()
    const create = (name: string, expires: string) =>
      shop.json<{ id: string }>(['keys', 'create', '--name', name, '--permissions', 'sav:read', '--expires', expires])
    const [soon, , revoked] = [await create('site', '30d'), await create('later', '31d'), await create('gone', '1d')]
    await shop.json(['keys', 'revoke', revoked?.id ?? '', '--yes'])
    expect(await shop.json('doctor')).toMatchObject({
      expiring_keys: [{ account_id: 'default', id: soon?.id, nom: 'site' }],
      warnings: [expect.stringMatching(/^Key key_\S+ \(site, account default\) expires on 20.*: make its successor/)],
    })
  })

  it('warns of a .env that everybody can read, but not of one that only its group can read', async () => {
    const shop = await readyWorkplace()
    const file = await shop.write('.env', 'SAV_PORT=8081\n')
    for (const [mode, warnings] of [
      [0o644, [`Others can read ${file}, which may hold secrets: chmod 640 ${file}`]],
      [0o640, []],
    ] as const) {
      await chmod(file, mode)
      expect(await shop.json('doctor')).toMatchObject({ warnings })
    }
  })

  it('fails for a wrong key, and only warns of a key file and a database that others can read', async () => {
    const shop = await readyWorkplace()
    const keyFile = join(shop.dir, 'sav-data/secret.key')
    const database = join(shop.dir, 'sav-data/sav.db')
    for (const file of [keyFile, database]) await chmod(file, 0o644)
    const readable = [keyFile, database].map((file) => `Others can read ${file}: chmod 600 ${file}`)
    expect(await shop.json('doctor')).toMatchObject({ warnings: expect.arrayContaining(readable) })
    await writeFile(keyFile, Buffer.alloc(32, 9).toString('base64'))
    const wrong = await shop.sav('doctor --json')
    expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([1, { ok: false, secret_key: 'wrong' }])
  })
})
