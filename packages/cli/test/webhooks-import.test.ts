import { eventKinds } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { local, readyWorkplace } from './workplace.js'

const secretOf = (bytes: number, fill = 5) => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`

/** An endpoint as Svix lists it (GET /api/v1/app/{app}/endpoint), with the answer of …/{endpoint}/secret. */
const svix = (fields: object) => ({
  id: 'ep_2Hx',
  url: 'https://erp.example.com/svix',
  version: 1,
  description: 'ERP de Lyon',
  filterTypes: ['sav.created', 'invoice.paid'],
  channels: null,
  rateLimit: null,
  metadata: {},
  createdAt: '2024-05-17T09:12:30.000Z',
  updatedAt: '2024-05-17T09:12:30.000Z',
  key: secretOf(24),
  ...fields,
})

/** An endpoint as Convoy lists it (GET /api/v1/projects/{project}/endpoints). */
const convoy = (fields: object) => ({
  uid: '01HXB4S',
  url: 'https://stock.example.com/convoy',
  name: 'Stock',
  description: '',
  status: 'active',
  authentication: null,
  advanced_signatures: true,
  secrets: [
    { uid: 's1', value: secretOf(32, 1), expires_at: '2025-01-01T00:00:00Z', deleted_at: null },
    { uid: 's2', value: secretOf(32, 2), expires_at: null, deleted_at: null },
  ],
  ...fields,
})

interface ImportReport {
  readonly endpoints: readonly {
    readonly outcome: string
    readonly id?: string
    readonly problems?: readonly { readonly field: string; readonly message: string }[]
  }[]
}

describe('endpoints of another sender', () => {
  it('are added once, with their secrets, and the output says what each receiver must change', async () => {
    const shop = await readyWorkplace()
    await shop.write('svix.json', JSON.stringify({ data: [svix({})], iterator: 'x', done: true }))
    await shop.shows('webhooks import svix.json --dry-run', 0, /\n\n1 endpoint would be added, /)
    expect(await shop.json('webhooks list')).toEqual([])

    const first = await shop.sav('webhooks import svix.json')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/^added https:\/\/erp\.example\.com\/svix \(wh_\w+\): sav\.created\n/)
    expect(first.stdout).toMatch(/Left out, since they do not exist here: invoice\.paid\n/)
    expect(first.stdout).toMatch(
      /Headers: svix-id, svix-timestamp, svix-signature become webhook-id, webhook-timestamp,/,
    )
    expect(first.stdout).toMatch(/Body: \{ event, timestamp, data \}/)
    expect(first.stdout).toMatch(/\n\n1 endpoint added, 0 unchanged, 0 refused\.\n$/)
    expect(first.stdout).not.toContain('whsec_')
    const before = await shop.json('webhooks list')
    expect(before).toMatchObject([{ events: ['sav.created'], description: 'ERP de Lyon', disabled_at: null }])

    const again = await shop.json<ImportReport>('webhooks import svix.json --all-events')
    expect(again.endpoints).toMatchObject([{ outcome: 'unchanged', source: 'svix', source_id: 'ep_2Hx' }])
    expect(await shop.json('webhooks list')).toEqual(before)
    const added = (await shop.json<{ action: string; target: string }[]>('audit list')).filter(
      ({ target }) => target === `endpoint:${again.endpoints[0]?.id}`,
    )
    expect(added).toHaveLength(1)
  })

  it('still sign with the secret that the receiver has', async () => {
    const shop = await readyWorkplace()
    const [erp, stock] = [await receiver(), await receiver()]
    erp.trust(secretOf(24))
    // Convoy lists two secrets. A rotation has ended the first one.
    stock.trust(secretOf(32, 2))
    const key = { type: 'api_key', api_key: { header_name: 'X-Cle', header_value: 'abc' } }
    const content = [convoy({ url: stock.url, authentication: key })]
    await shop.write('svix.json', JSON.stringify([svix({ url: erp.url })]))
    await shop.write('convoy.json', JSON.stringify({ status: true, data: { content, pagination: {} } }))
    await shop.json('webhooks import svix.json', local)
    await shop.json('webhooks import convoy.json --events sav.created', local)
    await shop.serveHere()
    await shop.newCase('Le tiroir frotte')
    expect(await erp.received(1)).toMatchObject([{ event: 'sav.created' }])
    expect(await stock.received(1)).toMatchObject([{ event: 'sav.created' }])
    expect(stock.headers()[0]).toMatchObject({ 'x-cle': 'abc' })
  })

  it('that were disabled or paused there are disabled here too', async () => {
    const shop = await readyWorkplace()
    const both = [svix({ disabled: true }), convoy({ status: 'paused' })]
    await shop.write('both.json', JSON.stringify(both))
    await shop.json('webhooks import both.json --all-events')
    const disabled = { events: eventKinds, disabled_reason: 'disabled by hand' }
    expect(await shop.json('webhooks list')).toMatchObject([disabled, disabled])
  })

  it('are refused with the field that is wrong, while the others are added', async () => {
    const shop = await readyWorkplace()
    const bad: [string, object][] = [
      ['secret', svix({ key: 'whsk_c2VjcmV0' })],
      ['secret', svix({ key: secretOf(23) })],
      ['secret', svix({ key: undefined })],
      ['url', svix({ url: 'http://erp.example.com/' })],
      ['url', svix({ url: 'https://10.0.0.7/' })],
      ['events', svix({ filterTypes: ['invoice.paid'] })],
      ['events', svix({ filterTypes: null })],
      ['events', convoy({})],
      ['authentication', convoy({ filterTypes: ['sav.created'], authentication: { type: 'oauth2', oauth2: {} } })],
    ]
    await shop.write('svix.json', JSON.stringify([...bad.map(([, endpoint]) => endpoint), svix({})]))
    const ran = await shop.sav('webhooks import svix.json --json')
    expect(ran.code).toBe(1)
    const { endpoints }: ImportReport = JSON.parse(ran.stdout)
    expect(endpoints.map(({ problems = [] }) => problems[0]?.field)).toEqual([
      ...bad.map(([field]) => field).with(8, 'authentication'),
      undefined,
    ])
    expect(endpoints.at(-1)).toMatchObject({ outcome: 'added' })
    expect(await shop.json('webhooks list')).toHaveLength(1)
    const words = await shop.sav('webhooks import svix.json')
    expect(words.stdout).toMatch(/^refused https:\/\/erp\.example\.com\/svix \(ep_2Hx\)\n {2}secret: must be whsec_ /)
    expect(words.stdout).toMatch(/events: none of invoice\.paid exists here: choose events with --events /)
    expect(words.stdout).toMatch(/\n\n0 endpoints added, 1 unchanged, 9 refused\.\n$/)
  })

  it('in an unknown form are refused with every wrong field, and nothing is added', async () => {
    const shop = await readyWorkplace()
    await shop.write('odd.json', JSON.stringify([svix({}), svix({ url: 7, disabled: 'no' }), convoy({ uid: null })]))
    const odd = await shop.sav('webhooks import odd.json')
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringMatching(/endpoint 2: url: .*\n.*endpoint 2: disabled: /)])
    expect(odd.stderr).toMatch(/endpoint 3: uid: /)
    expect((await shop.sav('webhooks import -', {}, { input: '{"items":[]}' })).stderr).toMatch(/JSON array of/)
    expect((await shop.sav('webhooks import -', {}, { input: '[' })).code).toBe(2)
    await shop.fails('webhooks import odd.json --events sav.creatd', 2, /--events sav\.creatd: the kinds are /)
    expect(await shop.json('webhooks list')).toEqual([])
  })
})
