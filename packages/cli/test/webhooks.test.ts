import { createServer } from 'node:http'
import { eventKinds, sign } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { onLoopback } from './on-loopback.js'
import { readyWorkplace, workplace } from './workplace.js'

describe('webhooks', () => {
  it('are added with a secret that is shown once', async () => {
    const shop = await readyWorkplace()
    const add = "webhooks add https://example.com/hook --events 'sav.created, sav.closed' --description Atelier"
    expect(await shop.json(`${add} --header 'X-A: 1' --header 'X-B: two: 2'`)).toMatchObject({
      events: ['sav.created', 'sav.closed'],
      headers: ['X-A', 'X-B'],
      secret: expect.stringMatching(/^whsec_/),
    })
    expect(await shop.json<{ events: string[] }>('webhooks add https://example.com --all-events')).toMatchObject({
      events: eventKinds,
    })
    const listed = await shop.sav('webhooks list --json')
    expect(JSON.parse(listed.stdout)).toHaveLength(2)
    expect(listed.stdout).not.toContain('whsec_')
    await shop.shows('webhooks list', 0, /ok +sav\.created,sav\.closed +https:\/\/example\.com\/hook/)
  })

  it('have a history before they are delivered', async () => {
    const shop = await readyWorkplace()
    const { id } = await shop.json<{ id: string }>('webhooks add https://example.com --all-events')
    for (const n of [1, 2]) await shop.newCase(`Case number ${n}`)
    const history = await shop.json<{ id: string }[]>(['webhooks', 'history', '--state', 'pending', '--endpoint', id])
    expect(history).toHaveLength(2)
    expect(history[0]).toMatchObject({ event: 'sav.created', endpoint_id: id, attempt_count: 0, last_status: null })
    expect(await shop.json('webhooks history --limit 1')).toEqual(history.slice(0, 1))
    expect(await shop.json('webhooks history --event sav.closed')).toEqual([])
    expect(await shop.json('webhooks history --since 2999-01-01')).toEqual([])
    expect(await shop.json(['webhooks', 'show', history[0]?.id ?? ''])).toMatchObject({ ...history[0], attempts: [] })
    await shop.shows(['webhooks', 'show', history[0]?.id ?? ''], 0, /State +pending[\s\S]*No attempt yet/)
    // Either all are sent again or, if one id is unknown, none.
    const first = history[0]?.id ?? ''
    expect((await shop.sav(['webhooks', 'retry', first, 'dlv_none'])).code).toBe(3)
    expect(await shop.json('webhooks history --state pending')).toEqual(history)
    expect(await shop.json(['webhooks', 'retry', first, first])).toEqual({ matched: 1, retried: 1 })
  })
})

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

async function listening(...args: string[]) {
  const shop = await workplace()
  const listener = shop.start(['webhooks', 'listen', '--port', '0', ...args], { SAV_WEBHOOK_SECRET: secret })
  const [, url = ''] = await listener.prints(/^receiving webhooks on (http:\S+)$/m, 'stderr')
  return { listener, url }
}

const body = JSON.stringify({
  event: 'sav.created',
  timestamp: '2026-01-15T10:30:00.000Z',
  data: { event_id: 'evt_1', id: 1, reference: 'SAV-2026-00001' },
})

async function post(url: string, signedWith = secret, sent = body) {
  const headers = await sign({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secret: signedWith })
  return fetch(url, { method: 'POST', body: sent, headers: { 'content-type': 'application/json', ...headers } })
}

describe('webhooks listen', () => {
  it('verifies and prints webhooks, until it is stopped', async () => {
    const { listener, url } = await listening('--json')
    expect((await post(url)).status).toBe(200)
    expect((await post(url, `whsec_${Buffer.alloc(32, 4).toString('base64')}`)).status).toBe(401)
    expect((await post(url, secret, body.replace('00001', '00002'))).status).toBe(401)
    expect((await post(url, secret, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    expect((await fetch(url)).status).toBe(405)
    const { code, stdout } = await listener.kill('SIGINT')
    expect(code).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { status: 200, verified: true, event: 'sav.created', data: { reference: 'SAV-2026-00001' } },
      { status: 401, verified: false, problem: expect.stringMatching(/^signature_mismatch/) },
      { status: 401, verified: false, problem: expect.stringMatching(/^signature_mismatch/) },
      { status: 413, verified: false },
      { status: 405, verified: false },
    ])
    expect(stdout).not.toContain(secret)
  })

  it('forwards the same bytes, and returns the answer', async () => {
    const received: { body: string; signature: unknown }[] = []
    const target = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      received.push({ body: text, signature: request.headers['webhook-signature'] })
      response.writeHead(received.length === 1 ? 202 : 503).end()
    })
    const to = `${await onLoopback(target)}/hook`

    const { listener, url } = await listening('--forward-to', to)
    expect((await post(url)).status).toBe(202)
    expect((await post(url)).status).toBe(503)
    expect((await post(url, secret, `${body} `)).status).toBe(401)
    expect(received).toMatchObject([{ body, signature: expect.stringMatching(/^v1,/) }, { body }])
    target.close()
    target.closeAllConnections()
    expect((await post(url)).status).toBe(502)
    const { stdout } = await listener.kill('SIGTERM')
    expect(stdout).toMatch(/202 +sav\.created +SAV-2026-00001 +evt_1\n/)
    expect(stdout).toMatch(/503 +sav\.created .*answered 503\n/)
  })
})
