import { userInfo } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { call, readyWorkplace } from './workplace.js'

it('sav keys roll accepts an overlap, and refuses an invalid overlap or an unknown key', async () => {
  const shop = await readyWorkplace()
  await shop.newKey()
  const [key] = await shop.json<{ id: string }[]>('keys list')
  const rolled = await shop.json(['keys', 'roll', key?.id ?? '', '--overlap', '1h'])
  expect(rolled).toMatchObject({ previous_expires_at: expect.stringMatching(/^20/) })
  await shop.fails(['keys', 'roll', key?.id ?? '', '--overlap', '8d'], 2, /^--overlap/)
  expect((await shop.sav('keys roll key_none')).code).toBe(3)
})

it('sav keys list shows when a key was last used', async () => {
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  expect(await shop.json('keys list')).toMatchObject([{ last_used_at: null, expires_soon: false }])
  const service = await shop.serveHere()
  await call(service.url, key, 'GET', '/api/v1/sav')
  await service.stop()
  expect(await shop.json('keys list')).toMatchObject([{ last_used_at: expect.stringMatching(/^20/) }])
  await shop.shows('keys list', 0, /LAST USED/)
})

it('sav audit list lists every answered call, newest first, even those just before the service stopped', async () => {
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  const [{ id } = { id: '' }] = await shop.json<{ id: string }[]>('keys list')
  const { url, stop } = await shop.serveHere()
  await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une porte à régler' })
  await call(url, key, 'GET', '/api/v1/sav/1')
  await call(url, 'sav_live_wrong', 'GET', '/api/v1/sav')
  await stop()
  const calls = await shop.json<Record<string, unknown>[]>('audit list')
  const { username } = userInfo()
  const command = { method: 'CLI', status: 200, key_id: null, ip: `cli:${username}` }
  expect(calls).toMatchObject([
    { method: 'GET', endpoint: '/api/v1/sav/{id}', status: 200, key_id: id, ip: '127.0.0.1' },
    { method: 'POST', endpoint: '/api/v1/sav', status: 201, key_id: id },
    { ...command, endpoint: 'sav keys create' },
    { ...command, endpoint: 'sav clients add' },
  ])
  // A refused command changes nothing, and is not in the audit.
  expect((await shop.sav('clients add --nom X --prenom Y --email nope')).code).toBe(2)
  expect(await shop.json('audit list')).toHaveLength(4)
  expect(Object.keys(calls[0] ?? {}).sort()).toEqual(
    ['time', 'ip', 'method', 'endpoint', 'key_id', 'user_id', 'target', 'status', 'duration_ms', 'request_id'].sort(),
  )
  expect(await shop.json(['audit', 'list', '--limit', '1', '--key', id])).toHaveLength(1)
  expect(await shop.json('audit list --key key_none')).toEqual([])
  expect(await shop.json('audit list --since 2999-01-01')).toEqual([])
  expect(await shop.json('audit list --until 2001-01-01')).toEqual([])
  expect(await shop.json('audit list --without-key')).toMatchObject([{ status: 401, key_id: null }])
})

describe('the audit', () => {
  it('names the target of each call, and the user of a command', async () => {
    const shop = await readyWorkplace()
    const events = ['--events', 'sav.created']
    const { id: endpoint } = await shop.json<{ id: string }>(['webhooks', 'add', 'https://example.com/h', ...events])
    await shop.newCase()
    await shop.json('cases update 1 --priorite haute')
    await shop.json('clients erase 1 --yes')
    const admin = ['keys', 'create', '--name', 'admin', '--permissions', 'admin,sav:read']
    const { id: key, key: secret } = await shop.json<{ id: string; key: string }>(admin)
    const there = { SAV_URL: (await shop.serveHere()).url, SAV_API_KEY: secret }
    await shop.json('cases show 1', there)
    await shop.json('accounts add lyon')
    for (const change of [['limit', '--cases-per-month', '5'], ['disable'], ['enable']])
      await shop.json(['accounts', change[0] ?? '', 'lyon', ...change.slice(1)])
    await shop.json(['keys', 'revoke', key, '--yes'])
    type Row = { method: string; endpoint: string; target: string | null }
    const audit = async (...given: string[]) =>
      (await shop.json<Row[]>(['audit', 'list', ...given])).map(({ method, endpoint, target }) =>
        method === 'CLI' ? `${endpoint} ${target}` : `${method} ${target}`,
      )
    const written = [
      `sav keys revoke key:${key}`,
      `sav keys create key:${key}`,
      'sav clients erase client:1',
      'sav cases update case:1',
      'sav cases create case:1',
      `sav webhooks add endpoint:${endpoint}`,
      'sav clients add client:1',
    ]
    await expect.poll(() => audit()).toContain('GET case:1')
    expect(await audit('--writes')).toEqual(written)
    expect(await audit('--target', 'client:1')).toEqual(['sav clients erase client:1', 'sav clients add client:1'])
    expect(await audit('--target', 'case:1', '--writes')).toEqual([
      'sav cases update case:1',
      'sav cases create case:1',
    ])
    expect(await audit('--account', 'lyon')).toEqual(
      ['enable', 'disable', 'limit', 'add'].map((change) => `sav accounts ${change} account:lyon`),
    )
    await shop.shows('audit list --target client:1', 0, / client:1\b/, {}, { columns: 100 })
  })

  it('names the user behind sudo, and has an entry for each user, key and endpoint that the demo adds', async () => {
    const shop = await readyWorkplace()
    const add = ['clients', 'add', '--nom', 'Petit', '--prenom', 'Aïcha']
    for (const sudoer of ['marie', 'x\u001b[2J']) {
      vi.stubEnv('SUDO_USER', sudoer)
      await shop.json(add)
    }
    vi.unstubAllEnvs()
    const { username } = userInfo()
    expect((await shop.json<{ ip: string }[]>('audit list --limit 2')).map(({ ip }) => ip)).toEqual([
      `cli:${username}`,
      `cli:${username} (sudo by marie)`,
    ])
    const { webhook } = await shop.json<{ webhook: { id: string } }>('demo --receiver https://example.com/h')
    const made = await shop.json<{ endpoint: string; target: string }[]>('audit list --limit 4')
    expect(made).toMatchObject([
      { endpoint: 'sav demo', target: expect.stringMatching(/^user:usr_/) },
      { endpoint: 'sav demo', target: expect.stringMatching(/^user:usr_/) },
      { endpoint: 'sav demo', target: expect.stringMatching(/^key:key_/) },
      { endpoint: 'sav demo', target: `endpoint:${webhook.id}` },
    ])
  })
})

describe('settings of the API', () => {
  it('SAV_RATE_LIMIT limits the calls of a key', async () => {
    const shop = await readyWorkplace({ SAV_RATE_LIMIT: 'reads=3/h,writes=1/h' })
    const key = await shop.newKey()
    const { url } = await shop.serveHere()
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await call(url, key, 'GET', '/api/v1/sav')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  it.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', '203.0.113.8'],
  ])('SAV_TRUSTED_PROXIES, SAV_FORWARDED_HEADER and SAV_CORS_ORIGINS take effect: %s', async (header, ip) => {
    const proxies = { SAV_TRUSTED_PROXIES: '127.0.0.1', SAV_FORWARDED_HEADER: header }
    const shop = await readyWorkplace({ ...proxies, SAV_CORS_ORIGINS: 'https://app.example' })
    const { url, stop } = await shop.serveHere()
    const response = await fetch(`${url}/api/v1/sav`, {
      headers: { ...{ 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.8' }, origin: 'https://app.example' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    await stop()
    expect(await shop.json('audit list --without-key')).toMatchObject([{ status: 401, ip }])
  })
})

describe('accounts', () => {
  it('are disabled and enabled while a service runs', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const { url } = await shop.serveHere()
    const status = async () => (await call(url, key, 'GET', '/api/v1/sav')).status
    expect(await status()).toBe(200)
    await shop.shows('accounts disable default', 0, /end within a second.*accounts enable/)
    await expect.poll(status).toBe(401)
    expect(await shop.json('accounts list')).toMatchObject([{ desactive_le: expect.stringMatching(/^20/) }])
    await shop.json('accounts enable default')
    await expect.poll(status).toBe(200)
    expect((await shop.sav('accounts disable nobody')).code).toBe(3)
  })

  it('are found by name; beyond its limit, an account gets no new cases', async () => {
    const shop = await readyWorkplace()
    await shop.json('accounts add lyon')
    await shop.json(['accounts', 'update', 'lyon', '--raison-sociale', 'Menuiserie Lefèvre'])
    expect(await shop.json('accounts list --search lefevre')).toMatchObject([{ id: 'lyon' }])
    expect((await shop.sav('accounts list --search paris')).stdout).toBe('No account is called paris.\n')
    const limits = ['accounts', 'limit', 'default', '--cases-per-month', '1', '--storage', '20GB']
    expect(await shop.json(limits)).toMatchObject({ dossiers_par_mois: 1, stockage_octets: 20e9 })
    const create = ['cases', 'create', '--client-id', '1', '--description', 'La porte du bas ne ferme plus']
    await shop.json(create)
    await shop.fails(create, 1, /may create 1 cases a month/)
    expect(await shop.json(['accounts', 'limit', 'default', '--cases-per-month', ''])).toMatchObject({
      ...{ dossiers_par_mois: null, stockage_octets: 20e9 },
    })
    await shop.json(create)
    expect((await shop.sav(['accounts', 'limit', 'default', '--storage', '20 apples'])).code).toBe(2)
  })

  it('are erased only if --confirm repeats the name, which is then listed as erased and never reused', async () => {
    const shop = await readyWorkplace()
    const { id } = await shop.newCase('La porte du bas ne ferme plus')
    await shop.json(['cases', 'close', String(id), '--resolution', 'Charnière remplacée.'])
    await shop.json('accounts add lyon')
    const [anchor] = await shop.json<{ hash_entree: string }[]>('evidence anchor --to anchors.jsonl')
    for (const confirm of [[], ['--confirm', 'lyon']]) {
      await shop.fails(['accounts', 'erase', 'default', ...confirm], 2, /with --confirm default\.\n$/)
    }
    expect((await shop.sav('accounts erase nobody --confirm nobody')).code).toBe(3)
    const erase = ['accounts', 'erase', 'default', '--confirm', 'default']
    vi.stubEnv('SUDO_USER', 'marie')
    const erased = await shop.sav(erase)
    vi.unstubAllEnvs()
    expect([erased.code, erased.stdout]).toEqual([0, expect.stringMatching(/hashes of its chain are kept: 1 entry\./)])
    expect(await shop.json('accounts list')).toMatchObject([{ id: 'lyon' }])
    const { username } = userInfo()
    const begun_by = `cli:${username} (sudo by marie)`
    const left = { id: 'default', begun_by, chain_erased_by: null, sequence: 1, hash_entree: anchor?.hash_entree }
    expect(await shop.json('accounts list --erased')).toMatchObject([left])

    const verify = (...more: string[]) => shop.sav(['evidence', 'verify', '--anchor', 'anchors.jsonl', ...more])
    for (const everything of [false, true]) {
      if (everything) await shop.json([...erase, '--everything'])
      const told = await verify()
      expect([told.code, told.stdout]).toEqual([0, expect.stringMatching(/default was erased on .* entry 1 \(/)])
      expect(told.stdout).toContain(` by ${begun_by}${everything ? `, then cli:${username}` : ''}: `)
      expect((await verify('--account', 'lyon')).code).toBe(3)
    }
    await shop.write('forged.json', JSON.stringify([{ ...anchor, hash_entree: 'e'.repeat(64) }]))
    expect((await shop.sav('evidence verify --anchor forged.json')).code).toBe(1)
    await shop.write('gone.json', JSON.stringify([{ ...anchor, account: 'paris' }]))
    expect((await shop.sav('evidence verify --anchor gone.json')).code).toBe(1)
    await shop.write('nothing.json', '[]')
    expect((await shop.sav('evidence verify --anchor nothing.json')).code).toBe(3)

    await shop.fails('accounts add default', 1, /erased on .* cannot be used again: choose another/)
    await shop.fails('cases list', 3, /The account "default" was erased, and its name/)
    expect((await shop.sav('init')).code).toBe(0)
  })
})
