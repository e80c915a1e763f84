import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { png } from './images.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { readyWorkplace, type Workplace } from './workplace.js'

interface Erasure {
  readonly account: string
  readonly id: number
  readonly efface_le: string
}

/** A shop that has erased two clients since its backup `b.db`: Oubliée, and Disparu of a second account. */
async function shopThatErased(settings: Readonly<Record<string, string>> = {}) {
  const shop = await readyWorkplace(settings)
  await shop.json('clients add --nom Oubliée --prenom Odile --email odile@example.com')
  const signature = await shop.write('s.png', png)
  const { id } = await shop.json<{ id: number }>([
    ...['cases', 'create', '--client-id', '2', '--description', 'Poignée d’Odile Oubliée à refixer'],
  ])
  const close = ['cases', 'close', String(id), '--resolution', 'Poignée refixée chez Odile', '--signature', signature]
  await shop.json([...close, '--signataire-nom', 'Odile Oubliée'])
  await shop.json('accounts add lyon')
  await shop.json('clients add --nom Disparu --prenom Daniel --account lyon')
  await shop.json('backup --to b.db')
  await shop.json('clients erase 2 --yes')
  await shop.json('clients erase 3 --yes --account lyon')
  // This client is added and erased after the backup, so the backup does not contain it.
  await shop.json('clients add --nom Passante --prenom Paule')
  await shop.json('clients erase 4 --yes')
  return shop
}

const erasuresOf = (shop: Workplace, env: Readonly<Record<string, string>> = {}) =>
  shop.json<Erasure[]>('clients erasures', env)

it('sav clients erasures lists erased clients, of all accounts or of one, without personal data', async () => {
  const shop = await readyWorkplace()
  expect(await erasuresOf(shop)).toEqual([])
  expect((await shop.sav('clients erasures')).stdout).toBe('No client was erased.\n')
  const filled = await shopThatErased()
  const listed = await erasuresOf(filled)
  const efface_le = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
  expect(listed).toEqual([
    { account: 'default', id: 2, efface_le },
    { account: 'default', id: 4, efface_le },
    { account: 'lyon', id: 3, efface_le },
  ])
  expect(await filled.json('clients erasures --account lyon')).toEqual(listed.slice(2))
  await filled.fails('clients erasures --account nowhere', 3, /No account/)
})

describe('sav restore --erasures', () => {
  for (const [kind, other] of [
    ['PostgreSQL', 'SQLite'],
    ['SQLite', 'PostgreSQL'],
  ] as const)
    it(`erases the clients again in the same run, from ${kind} into ${other}`, async () => {
      const store = kind === 'SQLite' ? 'sqlite:sav-data/sav.db' : await migratedStore()
      const shop = await shopThatErased(kind === 'SQLite' ? {} : { SAV_DATABASE: store })
      const to = other === 'SQLite' ? 'sqlite:r/sav.db' : await emptyDatabase()
      const key = { SAV_SECRET_KEY_FILE: 'sav-data/secret.key' }
      await shop.write('erasures.json', JSON.stringify(await erasuresOf(shop)))
      const from = kind === 'SQLite' ? 'erasures.json' : store
      expect(await shop.json(['restore', 'b.db', '--to', to, '--erasures', from], key)).toMatchObject({
        ...{ erasures: { erased: 2, unknown: 1 }, broken: [] },
      })
      const env = { SAV_DATABASE: to, ...key }
      expect(await shop.json('clients show 2', env)).toMatchObject({ nom: '(effacé)', email: null })
      expect(await shop.json('clients show 1', env)).toMatchObject({ nom: 'Durand' })
      expect(await shop.json('evidence verify', env)).toMatchObject({ checked: 2, broken: [] })
      expect((await erasuresOf(shop, env)).map(({ account, id }) => [account, id])).toEqual([
        ['default', 2],
        ['lyon', 3],
      ])
      expect(await shop.json('audit list', env)).toContainEqual(
        expect.objectContaining({ method: 'CLI', endpoint: 'sav restore' }),
      )
      if (other !== 'SQLite') return
      for (const name of await readdir(join(shop.dir, 'r'))) {
        const content = await readFile(join(shop.dir, 'r', name))
        for (const word of ['Odile', 'Oubliée', 'odile', 'Disparu'])
          expect([name, content.includes(word)]).toEqual([name, false])
      }
    })

  it('erases nobody again who was erased before the backup, and says which erasures the list may lack', async () => {
    const shop = await shopThatErased()
    await shop.json('backup --to later.db')
    const restore = ['restore', 'later.db', '--to', 'sqlite:r/sav.db']
    await shop.shows(
      [...restore, '--erasures', 'sqlite:sav-data/sav.db'],
      0,
      /0 clients erased again\. .* may be missing from it/,
    )
    const without = await shop.sav('restore b.db --to sqlite:without/sav.db')
    expect(without.stdout).toMatch(
      /Clients who were erased since .* are back\. .*--erasures FILE\|URL.*If you have no such list/,
    )
  })

  it('counts a client once, even if the list has the client twice', async () => {
    const shop = await shopThatErased()
    const list = await shop.json<unknown[]>('clients erasures')
    await shop.write('twice.json', JSON.stringify([...list, ...list]))
    const restored = await shop.json('restore b.db --to sqlite:r/sav.db --erasures twice.json')
    const once = await shop.json('restore b.db --to sqlite:s/sav.db --erasures sqlite:sav-data/sav.db')
    const { erasures } = Object(once)
    expect(restored).toMatchObject({ erasures })
    expect(erasures.erased + erasures.unknown).toBe(list.length)
  })

  it('refuses any other file, even an endless one, before it makes anything', async () => {
    const shop = await shopThatErased()
    await shop.write('no.json', '{"id": 2}')
    await shop.write('name.json', '[{"account": "default", "id": "2", "efface_le": "2026-01-15T09:00:00.000Z"}]')
    const refusals: readonly (readonly [string, number, RegExp])[] = [
      ['no.json', 2, /is not a list printed by `sav clients erasures --json`/],
      ['name.json', 2, /is not a list printed/],
      ['s.png', 2, /is not a list printed/],
      ['/dev/zero', 2, /has more than 16 MiB/],
      ['nowhere.json', 2, /nowhere\.json: there is no such file/],
      ['sqlite:nowhere.db', 5, /There is no store at .*nowhere\.db/],
    ]
    for (const [list, exitCode, words] of refusals) {
      const { code, stderr } = await shop.sav(['restore', 'b.db', '--to', 'sqlite:r/sav.db', '--erasures', list])
      expect([code, stderr]).toEqual([exitCode, expect.stringMatching(words)])
    }
    expect(await readdir(shop.dir)).not.toContain('r')
  })
})

it('sav clients erasures apply erases clients again in a restored store', async () => {
  const shop = await shopThatErased()
  await shop.write('erasures.json', JSON.stringify(await erasuresOf(shop)))
  const to = 'sqlite:r/sav.db'
  const env = { SAV_DATABASE: to, SAV_SECRET_KEY_FILE: 'sav-data/secret.key' }
  await shop.json(['restore', 'b.db', '--to', to])
  expect(await shop.json('clients show 2', env)).toMatchObject({ nom: 'Oubliée' })

  const apply = ['clients', 'erasures', 'apply', 'erasures.json']
  await shop.fails(apply, 2, /Erase the 3 clients/, env)
  const service = await shop.serveHere(env)
  await shop.fails([...apply, '--yes'], 1, /is using .*: stop it/, env)
  await service.stop()
  expect(await erasuresOf(shop, env)).toEqual([])

  expect(await shop.json([...apply, '--yes', '--account', 'lyon'], env)).toEqual({ erased: 1, unknown: 0 })
  expect(await shop.json([...apply, '--yes'], env)).toEqual({ erased: 1, unknown: 1 })
  expect((await erasuresOf(shop, env)).map(({ account, id }) => [account, id])).toEqual([
    ['default', 2],
    ['lyon', 3],
  ])
  expect(await shop.json('evidence verify', env)).toMatchObject({ broken: [] })
  expect(await shop.json('audit list', env)).toContainEqual(
    expect.objectContaining({ method: 'CLI', endpoint: 'sav clients erasures apply', target: 'client:2' }),
  )
  // The list can also be read from the original store.
  await shop.shows(
    'clients erasures apply sqlite:sav-data/sav.db --yes',
    0,
    /^0 clients erased again\. 1 other of the list is not in this store\./,
    env,
  )
})

it('the case of an erased client is closed without a resolution, which every other case needs', async () => {
  const shop = await readyWorkplace()
  for (let n = 0; n < 3; n += 1) await shop.newCase(`La porte du four ne ferme plus, ${n}`)
  const said = async (...args: string[]) => {
    const { code, stderr } = await shop.sav(['cases', 'close', ...args])
    return [code, stderr]
  }
  expect(await said('1')).toEqual([2, expect.stringMatching(/resolution/)])
  expect(await said('1', '--signataire-nom', 'Odile')).toEqual([2, expect.stringMatching(/--resolution: say what was/)])
  await shop.json('clients erase 1 --yes')
  expect(await said('1', '--resolution', 'Charnière remplacée')).toEqual([1, expect.stringMatching(/erased/)])
  expect(await said('1', '--signataire-nom', 'Odile')).toEqual([2, expect.stringMatching(/--resolution/)])
  await shop.json('cases close 1')
  expect(await shop.json('cases show 1')).toMatchObject({ statut: 'clos', resolution: '(effacé)' })
  const service = await shop.serveHere()
  const { key } = await shop.json<{ key: string }>('keys create --name k --permissions sav:read,sav:write')
  await shop.json('cases close 2', { SAV_URL: service.url, SAV_API_KEY: key })
  expect(await shop.json('cases show 2')).toMatchObject({ statut: 'clos', resolution: '(effacé)' })
})
