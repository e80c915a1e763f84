import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { tcpRelay } from './chaos/tcp-relay.js'
import { onLoopback } from './on-loopback.js'
import { call, local, readyWorkplace, workplace } from './workplace.js'

/** A receiver that answers every request with `status`. */
async function answering(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status).end()
  })
  return `${await onLoopback(server)}/hook`
}

it('a refusal by a receiver is followed live, explained, and shown by sav top', async () => {
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  await shop.json(['webhooks', 'add', await answering(401), '--events', 'sav.created'], local)
  await shop.json(['webhooks', 'add', await answering(200), '--events', 'sav.created'], local)
  const follower = shop.start('webhooks history --follow')
  const service = shop.start('serve --port 0', {
    ...local,
    SAV_METRICS: '127.0.0.1:0',
    SAV_RETRY_SCHEDULE: '0s',
  })
  const url = await service.url()
  const [, metrics = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
  await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four ne ferme plus' })
  const [line] = await follower.prints(/^.*failed .*$/m)
  expect(line).toMatch(
    /^\d{4}-\d\d-\d\d [\d:]{8} dlv_\w+ sav\.created SAV-\d{4}-00001 127\.0\.0\.1:\d+ failed attempt 1 answered 401$/,
  )
  await follower.prints(/ delivered attempt 1$/m)
  expect(await follower.kill('SIGINT')).toMatchObject({ code: 0 })

  const [failed] = await shop.json<{ id: string }[]>('webhooks history --state failed')
  await shop.shows(['webhooks', 'show', failed?.id ?? ''], 0, /^Likely +The receiver rejects the signature/m)

  const top = ['top', '--metrics', metrics, '--json']
  const screen = async () => JSON.parse((await shop.sav(top, {}, { stopAtOnce: true })).stdout)
  // The health of a receiver is stored shortly after each attempt.
  await expect.poll(screen).toMatchObject({
    failed: 1,
    in_flight: 0,
    database_up: true,
    failing: [
      {
        url: expect.stringMatching(/^http:/),
        why: expect.stringMatching(/^has failed since [-\d: ]+ \(answered 401; \d+ wait\)\. The receiver rejects/),
      },
    ],
  })
})

it('webhooks history --follow reports an outage of the service once, and continues after it', async () => {
  const shop = await readyWorkplace()
  const { key } = await shop.json<{ key: string }>('keys create --name bureau --permissions sav:write,webhooks:read')
  await shop.json(['webhooks', 'add', await answering(200), '--events', 'sav.created'], local)
  const create = (url: string) =>
    call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four ne ferme plus' })

  const first = await shop.serveHere()
  await create(first.url)
  const address = await tcpRelay(new URL(first.url))
  const office = await workplace({ SAV_API_KEY: key, SAV_URL: address.url.origin })
  const follower = office.start('webhooks history --follow')
  await follower.prints(/ delivered attempt 1$/m)
  await first.stop()
  await follower.prints(/cannot be reached: .* \(waiting until it is back\)\n/, 'stderr')

  const second = await shop.serveHere()
  address.pointAt(new URL(second.url))
  await create(second.url)
  await follower.prints(/(?: delivered attempt 1\n[\s\S]*){2}/)
  const { code, stderr } = await follower.kill('SIGINT')
  expect([code, stderr.split('\n').length]).toEqual([0, 2])
})

it('sav top says how to name the address of the metrics', async () => {
  const shop = await readyWorkplace()
  await shop.fails('top', 2, /--metrics .* or SAV_METRICS/)
  await shop.fails('top --metrics http://127.0.0.1:1/metrics', 5, /does not serve the metrics of sav/)
})
