import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { draw } from '../../../test/reports.js'
import { onSqlite, served } from '../../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus.'
const resolution = 'Charnière remplacée et porte réglée.'
const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('0123456789'.repeat(10))])
const signature =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const

describe('files', async () => {
  const { service, door } = await served(onSqlite.open)
  const photos = [`data:image/jpeg;base64,${photo.toString('base64')}`]
  const { id } = await service.sav.cases.create(actor, { client_id: service.client_id, description, photos })
  const path = `/api/v1/sav/${id}/fichiers/${hash('sha256', photo)}`
  const get = (headers: Record<string, string> = {}, at = path) =>
    door.call('GET', at, { headers: service.auth(headers) })

  it('are sent with their type, under a policy that forbids scripts', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(answer.bytes).toEqual(photo)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(photo.length),
      'content-disposition': `inline; filename="${hash('sha256', photo).slice(0, 16)}.jpeg"`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: `"${hash('sha256', photo)}"`,
    })
  })

  it('get 304 if the request has their ETag, and must be revalidated before each use', async () => {
    const { etag = '' } = (await get()).headers
    const again = await get({ 'if-none-match': etag })
    expect([again.status, again.bytes.length, again.headers['cache-control']]).toEqual([304, 0, 'private, no-cache'])
    expect((await get({ 'if-none-match': `"${'0'.repeat(64)}"` })).status).toBe(200)
  })

  const all = 104
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=4-13', 4, 14],
    ['bytes=100-', 100, all],
    ['bytes=103-103', 103, all],
    ['bytes=100-5000', 100, all],
    ['bytes=-1', 103, all],
    ['bytes=-104', 0, all],
    ['bytes=-105', 0, all],
    ['Bytes=0-3', 0, 4],
  ])('Range %s gets that part', async (range, start, end) => {
    const answer = await get({ range })
    expect(answer.status).toBe(206)
    expect(answer.bytes).toEqual(photo.subarray(start, end))
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end - 1}/${all}`)
    expect(answer.headers['content-length']).toBe(String(end - start))
    expect(answer.headers['etag']).toBe(`"${hash('sha256', photo)}"`)
  })

  it.each(['bytes=104-', 'bytes=104-200', 'bytes=-0', 'bytes=999999999999999-'])('Range %s gets 416', async (range) => {
    const answer = await get({ range })
    expect(answer.status).toBe(416)
    expect(answer.headers['content-range']).toBe('bytes */104')
  })

  it.each(['bytes=5-4', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0x1-2', 'x'])(
    'Range %s is ignored',
    async (range) => {
      const answer = await get({ range })
      expect(answer.status).toBe(200)
      expect(answer.bytes).toEqual(photo)
    },
  )

  it('If-Range gets a part if the ETag is the same, and otherwise the whole file', async () => {
    const etag = `"${hash('sha256', photo)}"`
    const status = async (ifRange: string) => (await get({ range: 'bytes=0-1', 'if-range': ifRange })).status
    expect(await status(etag)).toBe(206)
    expect(await status(`W/${etag}`)).toBe(200)
    expect(await status('"other"')).toBe(200)
    expect(await status('Thu, 15 Jan 2026 10:30:00 GMT')).toBe(200)
  })

  it('a matching If-None-Match gets 304, whatever the range', async () => {
    const etag = `"${hash('sha256', photo)}"`
    const known = await get({ 'if-none-match': etag, range: 'bytes=0-1' })
    expect(known.status).toBe(304)
    expect(known.bytes).toHaveLength(0)
  })

  it('HEAD ignores a range', async () => {
    const answer = await door.call('HEAD', path, { headers: service.auth({ range: 'bytes=0-1' }) })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-length']).toBe('104')
  })

  describe('the report', () => {
    const closed = async (signed: boolean) => {
      const { id, reference } = await service.sav.cases.create(actor, { client_id: service.client_id, description })
      await service.sav.cases.close(actor, id, { resolution, ...(signed && { signature_client: signature }) })
      return { id, reference }
    }

    it('of an open case, or of a missing case, is 404', async () => {
      const { id } = await service.sav.cases.create(actor, { client_id: service.client_id, description })
      expect((await get({}, `/api/v1/sav/${id}/pv`)).json.error).toBe('Not found')
      expect((await get({}, '/api/v1/sav/999999999/pv')).json.error).toBe('Case not found')
    })

    it('is 202 until it is drawn, and then a PDF with a file name', async () => {
      const { id, reference } = await closed(true)
      const waiting = await get({}, `/api/v1/sav/${id}/pv`)
      expect([waiting.status, waiting.json]).toEqual([202, { success: true, data: { statut: 'en_file' } }])
      expect(waiting.headers['retry-after']).toBe('1')
      const { content, sha256 } = await draw(service.storage, id)
      const answer = await get({}, `/api/v1/sav/${id}/pv`)
      expect(answer.status).toBe(200)
      expect(answer.bytes).toEqual(Buffer.from(content))
      expect(answer.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${reference}-pv-de-reception.pdf"`,
        etag: `"${sha256}"`,
        'cache-control': 'private, no-cache',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      })
      const known = await get({ 'if-none-match': `"${sha256}"` }, `/api/v1/sav/${id}/pv`)
      expect(known.status).toBe(304)
      expect((await get({ range: 'bytes=0-4' }, `/api/v1/sav/${id}/pv`)).text).toBe('%PDF-')
      expect((await get({}, `/api/v1/sav/${id}/fichiers/${sha256}`)).headers['content-type']).toBe('application/pdf')
    })

    it('has another file name if it is not signed', async () => {
      const { id, reference } = await closed(false)
      await draw(service.storage, id)
      const { headers } = await get({}, `/api/v1/sav/${id}/pv`)
      expect(headers['content-disposition']).toBe(`inline; filename="${reference}-rapport-de-fin-d-intervention.pdf"`)
    })
  })
})
