import { existsSync } from 'node:fs'
import { chown, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRoot, ordinaryUser } from '../../../test/ordinary-user.js'
import { receiver } from './receiver.js'
import { local, readyWorkplace, type Workplace } from './workplace.js'

const keyFileOf = (shop: Workplace) => join(shop.dir, 'sav-data/secret.key')
const replace = ['secret-key', 'replace', '--forget-webhook-secrets', '--yes']
/** A shop with an endpoint that has headers, one that was removed, and a closed case; its key is lost. */
async function shopWithoutKey() {
  const shop = await readyWorkplace()
  const atelier = await receiver()
  const add = ['webhooks', 'add', atelier.url, '--all-events']
  const { id } = await shop.json<{ id: string }>([...add, '--header', 'X-Canary: tweet'], local)
  const gone = await shop.json<{ id: string }>(add, local)
  await shop.json(['webhooks', 'remove', gone.id, '--yes'])
  await shop.newCase()
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
  await rm(keyFileOf(shop))
  return { shop, atelier, id }
}

describe('a store whose secret key is lost', () => {
  it('gets no new key while a service runs, since the service would go on using the old one', async () => {
    const shop = await readyWorkplace()
    const { id } = await shop.json<{ id: string }>('webhooks add https://example.com/h --all-events')
    const service = await shop.serveHere()
    await rm(keyFileOf(shop))
    await shop.fails(replace, 1, /^A `sav serve` or `sav worker` is using .*: stop it, and run this again in 15 s\.\n$/)
    expect(existsSync(keyFileOf(shop))).toBe(false)
    await service.stop()
    expect(await shop.json(replace)).toMatchObject({ endpoints: [{ id }] })
  })

  it('works for commands that need no key, and refuses the others with the remedy', async () => {
    const { shop, id } = await shopWithoutKey()
    const works = [
      ...['cases list', 'cases show 1', 'cases export', 'clients list', 'keys list', 'audit list', 'evidence verify'],
      ...['evidence export 1', 'backup --to b.db', 'clients add --nom Petit --prenom Aïcha'],
      'cases create --client-id 1 --description Un-tiroir-à-régler',
    ]
    // The first command is refused because it lists the endpoint's headers, which are sealed.
    const refused = [
      `webhooks rotate-secret ${id}`,
      'webhooks add https://example.com/ --all-events',
      'secret-key rotate --yes',
      'serve --port 0',
      'init',
      'worker',
    ]
    for (const command of works)
      expect([command, await shop.sav(command)]).toMatchObject([command, { code: 0, stderr: '' }])
    for (const command of ['webhooks list', 'webhooks history']) {
      const { code, stdout, stderr } = await shop.sav(`${command} --json`)
      expect([command, code, stderr]).toEqual([
        command,
        0,
        expect.stringMatching(/^The headers .* are sealed, and not shown: .*\n$/),
      ])
      if (command === 'webhooks list') expect(JSON.parse(stdout)).toMatchObject([{ id, headers: [] }])
    }
    const wayOut = /secret\.key is missing: restore .* `sav secret-key replace --forget-webhook-secrets`\.\n$/
    for (const command of refused) await shop.fails(command, 1, wayOut, local)
    expect(existsSync(keyFileOf(shop))).toBe(false)
    await shop.shows('doctor', 1, /Problem: The store was made with the secret key/)
  })

  it('gets a new key, and sends webhooks again once each receiver has its new secret', async () => {
    const { shop, atelier, id } = await shopWithoutKey()
    await shop.json('keys create --name k --permissions sav:read')
    await shop.fails('secret-key replace', 2, /Confirm with --forget-webhook-secrets/)
    await shop.fails(replace.slice(0, -1), 2, /Confirm with --yes/)
    const made = await shop.json<{ key_id: string; endpoints: { id: string; secret: string }[] }>(replace)
    expect(made).toMatchObject({ kept: null, endpoints: [{ id, headers_forgotten: true, account_id: 'default' }] })
    expect((await stat(keyFileOf(shop))).mode & 0o777).toBe(0o600)
    expect(await shop.json('webhooks list')).toMatchObject([{ id, headers: [], disabled_reason: 'disabled by hand' }])
    const service = await shop.serveHere()
    await shop.newCase()
    expect(atelier.events()).toEqual([])
    atelier.trust(made.endpoints[0]?.secret ?? '')
    await shop.json(['webhooks', 'enable', id])
    // The waiting events of the first case and its close arrive too.
    const events = await atelier.received(3)
    expect(events.map(({ event }) => event).sort()).toEqual(['sav.closed', 'sav.created', 'sav.created'])
    await service.stop()
    expect(await shop.json('doctor')).toMatchObject({ secret_key: 'ok', problems: [] })
    // Nothing that the lost key sealed is left, so a rotation succeeds.
    await shop.json('secret-key rotate --yes')
    await shop.fails(replace, 1, /is present and correct: `sav secret-key rotate`/)
  })

  it('keeps the key of another store in a separate file when it gets a new key', async () => {
    const { shop } = await shopWithoutKey()
    const other = `${Buffer.alloc(32, 7).toString('base64')}\n`
    await writeFile(keyFileOf(shop), other)
    const { kept } = await shop.json<{ kept: string }>(replace)
    expect(await readFile(kept, 'utf8')).toBe(other)
    expect(await shop.json('doctor')).toMatchObject({ secret_key: 'ok' })
  })
})

describe('a rotation', () => {
  it('asks for confirmation', async () => {
    const shop = await readyWorkplace()
    const before = await readFile(keyFileOf(shop), 'utf8')
    await shop.fails('secret-key rotate', 2, /Seal every webhook secret .* --yes/)
    const asked: string[] = []
    const ask = async (question: string) => asked.push(question) > 1
    expect((await shop.sav('secret-key rotate', {}, { ask })).code).toBe(1)
    expect(await readFile(keyFileOf(shop), 'utf8')).toBe(before)
    expect((await shop.sav('secret-key rotate', {}, { ask })).code).toBe(0)
  })

  it('writes to the target if the key file is a link, and leaves no temporary file', async () => {
    const shop = await readyWorkplace()
    const key = await readFile(keyFileOf(shop))
    await rm(keyFileOf(shop))
    await writeFile(join(shop.dir, 'kept.key'), key, { mode: 0o640 })
    await symlink('../kept.key', keyFileOf(shop))
    await shop.json('secret-key rotate --yes')
    expect((await readFile(join(shop.dir, 'kept.key'), 'utf8')).trim().split('\n')).toHaveLength(2)
    expect((await stat(join(shop.dir, 'kept.key'))).mode & 0o777).toBe(0o640)
    expect((await readdir(shop.dir)).filter((name) => name.startsWith('kept.key'))).toEqual(['kept.key'])
  })

  it.runIf(isRoot)('by root keeps the owner of the key file, and doctor reports a different owner', async () => {
    const shop = await readyWorkplace()
    const { uid = 0, gid = 0 } = ordinaryUser
    await chown(join(shop.dir, 'sav-data/sav.db'), uid, gid)
    await chown(keyFileOf(shop), uid, gid)
    await shop.json('secret-key rotate --yes')
    expect(await stat(keyFileOf(shop))).toMatchObject({ uid, gid })
    expect(await shop.json('doctor')).toMatchObject({ problems: [] })
    await rm(keyFileOf(shop))
    await shop.json(replace)
    expect(await stat(keyFileOf(shop))).toMatchObject({ uid, gid })
    await chown(keyFileOf(shop), 0, 0)
    await shop.shows('doctor', 1, new RegExp(`secret.key belongs to user 0, and the database to user ${uid}`))
  })
})
