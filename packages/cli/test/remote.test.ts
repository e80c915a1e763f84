import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { stopClock } from './clock.js'
import { jpeg } from './images.js'
import { onLoopback } from './on-loopback.js'
import { local, readyWorkplace, workplace } from './workplace.js'

/** A service, and another workplace with a key for it. */
async function remotePlace() {
  const shop = await readyWorkplace()
  const create = [
    'keys',
    'create',
    '--name',
    'bureau',
    '--permissions',
    'admin,sav:write,directory:write,webhooks:write',
  ]
  const [{ key }, { url }] = [await shop.json<{ key: string }>(create), await shop.serveHere()]
  return { shop, elsewhere: await workplace({ SAV_API_KEY: key }), url }
}

it('a refusal over the network has the right exit code, and never shows the key', async () => {
  const { shop, elsewhere, url } = await remotePlace()
  const { key } = await shop.json<{ key: string }>('keys create --name site --permissions sav:read')
  const codes: [string[], number, RegExp, Record<string, string>?][] = [
    [['cases', 'show', '9'], 3, /404 Case not found/],
    [['cases', 'show', 'SAV-2026-09999'], 3, /SAV-2026-09999/],
    [['cases', 'create', '--client-id', '1', '--description', 'court'], 2, /description: /],
    [['cases', 'list'], 4, /401 /, { SAV_API_KEY: 'sav_live_hunter2' }],
    [
      ['webhooks', 'list'],
      4,
      /403 Permission denied: this key lacks the permission webhooks:read\.$/m,
      { SAV_API_KEY: key },
    ],
    [['cases', 'list', '--limit', '0'], 2, /^--limit: must be at least 1/],
    [['cases', 'list'], 5, /cannot be reached: /, { SAV_URL: 'http://127.0.0.1:1' }],
    [['evidence', 'verify'], 2, /works on a store, and not on a service: unset SAV_URL/],
  ]
  for (const [command, code, message, env = {}] of codes) {
    const ran = await elsewhere.sav(command, { SAV_URL: url, ...env })
    expect([command, ran.code, ran.stderr]).toEqual([command, code, expect.stringMatching(message)])
    expect(ran.stderr).not.toMatch(/sav_live_|hunter2/)
  }
  await elsewhere.fails(
    `cases list --url ${url}`,
    2,
    `SAV_API_KEY is missing: --url needs a key. Set it, or log in: sav login ${url}\n`,
    { SAV_API_KEY: '' },
  )
})

describe('another server in place of the service', () => {
  async function instead(status: number, headers: Record<string, string>) {
    const server = createServer((_, response) => response.writeHead(status, headers).end('{}'))
    return (await workplace({ SAV_API_KEY: 'sav_live_x', SAV_URL: await onLoopback(server) })).sav
  }

  it.each(['text/html', 'application/json'])('is refused, even if its answers have request ids: %s', async (type) => {
    const sav = await instead(200, { 'Content-Type': type, 'X-Request-Id': 'one' })
    const stderr = expect.stringContaining('an answer that is not from sav')
    for (const list of ['keys list', 'cases list', 'poseurs list', 'webhooks list'])
      expect([list, await sav(list)]).toEqual([list, { code: 5, stdout: '', stderr }])
  })

  it.each([
    [302, { Location: '/login' }, 'leads to another address'],
    [308, { Location: 'https://sav.example/' }, 'leads to another address'],
    [200, { 'Content-Type': 'text/html' }, 'answer is not from sav'],
    [204, {}, 'answer is not from sav'],
  ])('is refused: %i', async (status, headers, said) => {
    const sav = await instead(status, headers)
    for (const command of ['keys list', 'keys revoke key_1 --yes']) {
      const { code, stdout, stderr } = await sav(command)
      expect([command, code, stdout]).toEqual([command, 5, ''])
      expect(stderr).toContain(said)
    }
  })
})

describe('every command over the network', () => {
  it('shows the same as on the store, as text and as JSON', async () => {
    const { shop, elsewhere, url } = await remotePlace()
    const there = { SAV_URL: url, ...local }
    await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
    const add = ['webhooks', 'add', 'http://127.0.0.1:9/hook', '--events', 'sav.created']
    const { id } = await elsewhere.json<{ id: string }>(add, there)
    await shop.json(['webhooks', 'disable', id])
    await shop.newCase()
    const [delivery] = await shop.json<{ id: string }[]>('webhooks history')
    const [key] = await shop.json<{ id: string }[]>('keys list')
    stopClock()
    for (const command of [
      ...['accounts show', 'accounts show default', 'clients list', 'clients show 1', 'poseurs list', 'keys list'],
      ...['webhooks list', 'webhooks history'],
      ...[`webhooks show ${delivery?.id}`, 'cases list', 'cases show 1', 'cases export', 'planning week'],
      ...['webhooks retry --state pending --dry-run', `audit list --key ${key?.id} --since 2026-01-01 --limit 1`],
    ])
      for (const form of [[], ['--json']]) {
        const here = await shop.sav([...command.split(' '), ...form])
        const over = await elsewhere.sav([...command.split(' '), ...form], there)
        // The audit differs: it also contains the call that reads it.
        if (!command.startsWith('audit')) expect([command, over]).toEqual([command, here])
        expect([command, over.code]).toEqual([command, 0])
      }
  })

  it('writes the same as on the store', async () => {
    const { shop, elsewhere, url } = await remotePlace()
    const there = { SAV_URL: url, ...local }
    const over = <T = unknown>(...command: string[]) => elsewhere.json<T>(command, there)
    expect(await over('clients', 'add', '--nom', 'Petit', '--prenom', 'Zoé', '--ville', 'Lyon')).toEqual(
      await shop.json('clients show 2'),
    )
    await over('clients', 'update', '2', '--telephone', '06 12 34 56 78')
    await over('accounts', 'update', '--raison-sociale', 'Cuisines Petit')
    await over('accounts', 'update', 'default', '--siret', '12345678900011')
    expect(await shop.json('accounts show')).toMatchObject({
      raison_sociale: 'Cuisines Petit',
      siret: '12345678900011',
    })
    await elsewhere.fails(
      "accounts update lyon --siret ''",
      3,
      'The key belongs to the account default, and cannot read lyon.\n',
      there,
    )
    await elsewhere.fails('accounts list', 2, /works on a store, and not on a service/, there)
    expect(await shop.json('clients show 2')).toMatchObject({ telephone: '06 12 34 56 78' })
    await over('poseurs', 'add', '--nom', 'Karim Benali')
    await over('poseurs', 'update', '1', '--no-actif')
    expect(await shop.json('poseurs list')).toMatchObject([{ nom: 'Karim Benali', actif: false }])

    const photo = await elsewhere.write('apres.jpg', jpeg)
    const create = ['cases', 'create', '--client-id', '2', '--description', 'Tiroir à régler, côté évier']
    const { reference } = await over<{ reference: string }>(...create, '--photo', photo)
    await over('cases', 'update', reference, '--priorite', 'haute')
    const closed = await over('cases', 'close', reference, '--resolution', 'Tiroir réglé', '--photo-apres', photo)
    expect(closed).toMatchObject({ reference, statut: 'clos', pv: { statut: 'non_configure' } })
    expect(await over('cases', 'files', reference, '-o', 'files')).toMatchObject({
      files: [`${reference}-photo-1.jpg`, `${reference}-apres.jpg`],
    })
    expect(await readFile(join(elsewhere.dir, 'files', `${reference}-apres.jpg`))).toEqual(Buffer.from(jpeg))
    await expect
      .poll(async () => (await elsewhere.sav(['cases', 'report', reference, '-o', 'pv.pdf'], there)).code)
      .toBe(0)
    expect((await readFile(join(elsewhere.dir, 'pv.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
    const told = ['evidence', 'export', reference]
    expect(await elsewhere.sav(told, there)).toEqual(await shop.sav(told))
    const proof = await over<{ files: string[] }>(...told, '--dir', 'preuve')
    expect(proof.files).toEqual(expect.arrayContaining(['snapshot.json', 'entree.json', 'SHA256SUMS', 'pv.pdf']))
    await promisify(execFile)('sha256sum', ['-c', 'SHA256SUMS'], { cwd: join(elsewhere.dir, 'preuve') })
    await over('cases', 'reopen', reference, '--motif', 'Le tiroir grince encore')
    expect(await shop.json(['cases', 'show', reference])).toMatchObject({ statut: 'en_cours', priorite: 'haute' })

    const { id, secret } = await over<{ id: string; secret: string }>(
      'webhooks',
      'add',
      'http://127.0.0.1:9/',
      '--all-events',
    )
    expect(secret).toMatch(/^whsec_/)
    // Here, `--url` is the URL of the receiver, not of the service.
    expect(await over('webhooks', 'update', id, '--url', 'http://127.0.0.1:9/b')).toMatchObject({
      url: 'http://127.0.0.1:9/b',
    })
    await over('webhooks', 'disable', id)
    expect(await shop.json('webhooks list')).toMatchObject([{ id, disabled_at: expect.any(String) }])
    await over('webhooks', 'enable', id)
    expect(await over('webhooks', 'rotate-secret', id)).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) })
    const { delivery_id } = await over<{ delivery_id: string }>('webhooks', 'test', id)
    expect((await elsewhere.sav(['webhooks', 'test', id, '--wait'], there)).code).toBe(1)
    await expect.poll(async () => (await elsewhere.sav(['webhooks', 'retry', delivery_id], there)).code).toBe(0)
    expect(await over('webhooks', 'retry', '--state', 'pending', '--yes')).toMatchObject({ matched: 2, state: 'done' })
    await over('webhooks', 'remove', id, '--yes')
    expect(await shop.json('webhooks list')).toEqual([])

    const made = await over<{ id: string }>('keys', 'create', '--name', 'caisse', '--permissions', 'sav:read')
    const rolled = await over<{ id: string }>('keys', 'roll', made.id)
    await over('keys', 'revoke', rolled.id, '--yes')
    expect(await shop.json('keys list')).toMatchObject([{ revoked_at: expect.any(String) }, {}, {}])
    await over('clients', 'erase', '2', '--yes')
    expect(await shop.json('clients show 2')).toMatchObject({ telephone: null, efface_le: expect.any(String) })
  })
})

it('sav login saves the key in a file that only its owner can read, and later commands use it', async () => {
  const { elsewhere, shop, url } = await remotePlace()
  const key = elsewhere.settings['SAV_API_KEY'] ?? ''
  const laptop = await workplace()
  const home = { XDG_CONFIG_HOME: join(laptop.dir, 'config') }
  const sav = (command: string, env = {}, input = '') => laptop.sav(command, { ...home, ...env }, { input })

  expect(await sav('cases list')).toMatchObject({ code: 5, stderr: expect.stringMatching(/sav init/) })
  expect(await sav(`login ${url}`, {}, 'sav_live_hunter2\n')).toMatchObject({
    code: 4,
    stderr: expect.not.stringContaining('hunter2'),
  })
  expect(await sav(`login ${url}`)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^No key was given/) })
  expect(await sav('login example.com', { SAV_API_KEY: key })).toMatchObject({ code: 2 })
  const done = await sav(`login ${url}/`, {}, `${key}\n`)
  expect(done).toMatchObject({ code: 0, stdout: expect.not.stringContaining(key) })
  const file = join(home.XDG_CONFIG_HOME, 'sav/profiles.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await sav('clients list')).toEqual(await shop.sav('clients list'))
  expect(await sav('clients list --account lyon')).toMatchObject({ code: 2 })
  // A command that needs a store is not sent to the service.
  expect(await sav('evidence verify')).toMatchObject({ code: 5, stderr: expect.stringMatching(/sav init/) })
  expect(await sav(`clients list --url ${url}`)).toMatchObject({ code: 0 })

  expect(await sav(`login ${url} --profile lyon`, { SAV_API_KEY: key })).toMatchObject({ code: 0 })
  expect(await sav('logout')).toMatchObject({ code: 0 })
  expect(await sav('clients list')).toMatchObject({ code: 5, stderr: expect.stringMatching(/sav init/) })
  expect(await sav('clients list --profile lyon')).toMatchObject({ code: 0 })
  expect(await sav('clients list', { SAV_PROFILE: 'lyon' })).toMatchObject({ code: 0 })
  expect(await sav('clients list --profile paris')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no such profile/),
  })
  expect(await sav(`clients list --profile lyon --url ${url}`)).toMatchObject({ code: 2 })
  expect(await sav('clients list --profile lyon', { SAV_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 0 })
  expect(await sav('backup --to b.db --profile lyon')).toMatchObject({ code: 2 })
  expect(JSON.parse((await sav('profiles --json')).stdout)).toEqual([{ name: 'lyon', url }])

  // A local store takes precedence over a saved login, unless `--profile` names the login.
  await sav(`login ${url}`, { SAV_API_KEY: key })
  await sav('init')
  expect((await sav('clients list')).stdout).toBe('No client found.\n')
  await laptop.write('config/sav/profiles.json', '{')
  expect(await sav('clients list --profile lyon')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/remove it, and log in again/),
  })
})
