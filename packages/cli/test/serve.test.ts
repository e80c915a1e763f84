import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isAlive } from './chaos/postgres-server.js'
import { onLoopback } from './on-loopback.js'
import { receiverOf } from './receiver.js'
import { bin, call, local, nodeOptions, readyWorkplace } from './workplace.js'

describe('sav serve', () => {
  it('stops as on SIGTERM when its terminal closes, and opens no debugger on SIGUSR1', async () => {
    const shop = await readyWorkplace()
    const service = shop.serve()
    const url = await service.url()
    service.process.kill('SIGUSR1')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const { code, stderr } = await service.kill('SIGHUP')
    expect([code, stderr]).toEqual([0, expect.stringMatching(/"msg":"stopped"/)])
    expect(stderr).not.toMatch(/debugger/i)
  })

  it('logs one line for each call and for each attempt, which names its delivery, but no secret', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const atelier = await receiverOf(shop)
    const { id, secret } = atelier
    const service = shop.serve()
    const url = await service.url()
    await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une description à ne pas journaliser' })
    await call(url, 'sav_live_wrong', 'GET', '/api/v1/sav?recherche=secret')
    await atelier.received(1)
    await service.prints(/"state":"delivered"/, 'stderr')
    const { stderr } = await service.kill('SIGTERM')
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [listed] = await shop.json<{ id: string }[]>('keys list')
    const common = {
      time: expect.stringMatching(/^20.*Z$/),
      ip: '127.0.0.1',
      endpoint: '/api/v1/sav',
      duration_ms: expect.any(Number),
      request_id: expect.any(String),
    }
    expect(lines.filter(({ msg }) => msg === 'call')).toEqual([
      expect.objectContaining({ ...common, method: 'POST', status: 201, key_id: listed?.id, account_id: 'default' }),
      expect.objectContaining({ ...common, method: 'GET', status: 401, key_id: null }),
    ])
    const [delivery] = await shop.json<{ id: string }[]>('webhooks history')
    expect(lines.filter(({ msg }) => msg === 'delivered')).toMatchObject([
      { delivery: delivery?.id, target: id, attempt: 1, status: 200 },
    ])
    // Metrics are not served without their setting.
    expect(stderr).not.toContain('metrics')
    for (const hidden of [key, secret, 'sav_live_wrong', 'journaliser', 'recherche', new URL(atelier.url).host])
      expect(stderr).not.toContain(hidden)
  })

  it('finishes the calls in progress when it is stopped, and accepts no new ones', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const service = shop.serve()
    const url = await service.url()
    const body = JSON.stringify({ client_id: 1, description: 'Envoyé en deux fois' })
    const slow = request(`${url}/api/v1/sav`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-request-timestamp': Math.floor(Date.now() / 1000),
        expect: '100-continue',
      },
    })
    const answered = once(slow, 'response')
    slow.flushHeaders()
    await once(slow, 'continue')
    service.process.kill('SIGTERM')
    await service.prints(/"stopping"/, 'stderr')
    const state = () =>
      fetch(url).then(
        () => 'open',
        () => 'refused',
      )
    await expect.poll(state).toBe('refused')
    slow.end(body)
    const [response] = await answered
    expect(response.statusCode).toBe(201)
    response.resume()
    expect(await service.ended()).toMatchObject({ code: 0 })
    expect(await shop.json('cases list')).toHaveLength(1)
  })

  it.each([
    ['at once on a second signal from a person', 'SIGINT', 130],
    ['normally if a second SIGTERM follows the first', 'SIGTERM', 0],
  ] as const)('ends %s', async (_, signal, code) => {
    const shop = await readyWorkplace()
    const service = shop.serve()
    const url = await service.url()
    const open = request(`${url}/healthz`, { method: 'POST', headers: { 'content-length': 5 } })
    open.on('error', () => {})
    open.flushHeaders()
    // The answer has arrived, but the listener still waits for the rest of the body.
    await once(open, 'response')
    service.process.kill('SIGTERM')
    await service.prints(/"stopping"/, 'stderr')
    const ended = service.kill(signal)
    // Time enough for an immediate end, but much less than the service waits for the body.
    if (code === 0) setTimeout(() => open.destroy(), 300)
    expect(await ended).toMatchObject({ code })
  })

  it('is not ready while it drains, but still answers calls', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const service = shop.start('serve --port 0', { ...local, SAV_DRAIN: '60s' })
    const url = await service.url()
    service.process.kill('SIGTERM')
    await service.prints(/"msg":"draining"/, 'stderr')
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([503, { success: false }])
    expect(
      (await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une porte à régler' })).status,
    ).toBe(201)
    expect((await service.kill('SIGINT')).code).toBe(130)
  })

  it('says which port is taken', async () => {
    const shop = await readyWorkplace()
    const { port } = new URL(await onLoopback(createServer()))
    const { code, stderr } = await shop.sav(['serve', '--port', port], { SAV_LOG_LEVEL: 'silent' })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(`Port ${port} on 127\\.0\\.0\\.1 is taken: choose another`),
    ])
  })

  it('keeps running when its log is closed', async () => {
    const shop = await readyWorkplace()
    const service = shop.serve()
    const url = await service.url()
    service.process.stderr?.destroy()
    for (let n = 0; n < 3; n += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  })

  it('stops when npx is killed, but not when a shell that started it in the background is killed', async () => {
    const shop = await readyWorkplace()
    const shell = `"${process.execPath}" ${nodeOptions.join(' ')} "${bin}" serve --port 0 & echo $!; read line`
    /** Starts a service from a shell, and kills the shell. Resolves to the process id of the service. */
    async function orphanOf(script: string): Promise<number> {
      const env = { ...process.env, npm_lifecycle_event: script }
      const parent = spawn('sh', ['-c', shell], { cwd: shop.dir, env })
      const exited = once(parent, 'exit')
      let printed = ''
      for await (const chunk of parent.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        printed += chunk
        if (/^listening on .*\n/m.test(printed)) break
      }
      const pid = Number(/^\d+$/m.exec(printed)?.[0])
      onTestFinished(() => {
        if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      })
      parent.kill('SIGKILL')
      await exited
      return pid
    }
    const [deployed, underNpx] = [await orphanOf('deploy'), await orphanOf('npx')]
    // The other service was orphaned earlier, so it has had more time to end.
    await expect.poll(() => isAlive(underNpx)).toBe(false)
    expect(isAlive(deployed)).toBe(true)
  })
})
