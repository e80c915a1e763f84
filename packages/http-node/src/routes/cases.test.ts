import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, combinations, type Door, openService, type Service } from '../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus.'
const resolution = 'Charnière remplacée et porte réglée.'

const jpeg = (length = 40) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(length - 4)])

/** A whole PNG of zeros, of which a chunk that nobody reads makes up the length. */
function png({ width = 10, height = 10, length = 200 } = {}): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(data.length)
    body.copy(framed, 4)
    framed.writeUInt32BE(crc32(body), body.length + 4)
    return framed
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const bytes = (filler: number) =>
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('teXt', Buffer.alloc(filler)),
      chunk('IDAT', pixels),
      chunk('IEND', Buffer.alloc(0)),
    ])
  return bytes(length - bytes(0).length)
}
const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const fieldsOf = (answer: Answer): string[] => answer.json.details.map((detail: { field: string }) => detail.field)

describe.each(combinations)('cases through $name', ({ open, store }) => {
  let service: Service
  let door: Door

  beforeAll(async () => {
    service = await openService(await store())
    door = await open(service.api)
  })
  afterAll(async () => {
    await door.close()
    await service.storage.close()
  })

  const get = (path: string, headers = service.auth()) => door.call('GET', path, { headers })
  const send = (method: string, path: string, body: unknown, more = {}) =>
    door.call(method, path, { headers: service.auth(more), body: JSON.stringify(body) })
  const creation = (more = {}) => ({ client_id: service.client_id, description, ...more })
  const create = (more = {}) => send('POST', '/api/v1/sav', creation(more))
  const newCase = async (more = {}): Promise<number> => (await create(more)).json.data.id
  const closed = async (more = {}): Promise<number> => {
    const id = await newCase()
    const answer = await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution, ...more })
    expect(answer.status).toBe(200)
    return id
  }

  function expectRefused(answer: Answer, fields: readonly string[]): void {
    expect(answer.json).toMatchObject({ success: false, error: 'Validation failed' })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual(fields)
    for (const { message } of answer.json.details) expect(message).toMatch(/\S/)
  }

  describe('creating', () => {
    it('answers 201 with id and reference, and says where the case is', async () => {
      const answer = await create()
      expect(answer.status).toBe(201)
      const { id, reference } = answer.json.data
      expect(answer.json).toEqual({ success: true, data: { id, reference } })
      expect(reference).toMatch(/^SAV-2026-\d{5}$/)
      expect(answer.headers['location']).toBe(`/api/v1/sav/${id}`)
      const detail = await get(`/api/v1/sav/${id}`)
      expect(detail.json.data).toMatchObject({ id, reference, statut: 'ouvert', priorite: 'normale' })
    })

    it.each([
      ['10 characters', 'x'.repeat(10), 201],
      ['9 characters', 'x'.repeat(9), 422],
      ['2000 characters', 'x'.repeat(2000), 201],
      ['2001 characters', 'x'.repeat(2001), 422],
      ['10 characters outside the first plane', '🪚'.repeat(10), 201],
      ['9 characters outside the first plane', '🪚'.repeat(9), 422],
      ['2000 characters outside the first plane', '🪚'.repeat(2000), 201],
      ['2001 characters outside the first plane', '🪚'.repeat(2001), 422],
      ['9 characters and blanks around', `  ${'x'.repeat(9)}\n`, 422],
      ['blanks', ' '.repeat(20), 422],
      ['a lone surrogate', `${'x'.repeat(20)}\ud800`, 422],
      ['a NUL', `${'x'.repeat(20)}\0`, 422],
    ])('with a description of %s', async (_, text, status) => {
      const answer = await create({ description: text })
      if (status === 201) expect(answer.status).toBe(201)
      else expectRefused(answer, ['description'])
    })

    it('counts photos: 10 are taken, 11 are not', async () => {
      const photos = (count: number) => Array.from({ length: count }, (_, i) => `https://photos.example/${i}.jpg`)
      expect((await create({ photos: photos(10) })).status).toBe(201)
      expectRefused(await create({ photos: photos(11) }), ['photos'])
    })

    it('takes a photo of 5 MiB, and none of a byte more', async () => {
      const limit = 5 * 1024 * 1024
      expect((await create({ photos: [uri('image/jpeg', jpeg(limit))] })).status).toBe(201)
      expectRefused(await create({ photos: [uri('image/jpeg', jpeg(limit + 1))] }), ['photos[0]'])
    })

    it('names each bad photo', async () => {
      const photos = [
        'https://photos.example/a.jpg',
        'data:image/png;base64,!!!!',
        uri('image/png', jpeg()),
        uri('image/gif', jpeg()),
        'ftp://photos.example/a.jpg',
        7,
      ]
      const answer = await create({ photos })
      expect(answer.status).toBe(422)
      expect(fieldsOf(answer).sort()).toEqual(['photos[1]', 'photos[2]', 'photos[3]', 'photos[4]', 'photos[5]'])
    })

    it('names every bad field at once, the unknown ones too', async () => {
      const answer = await create({
        client_id: 4711,
        description: 'court',
        priorite: 'très haute',
        type_probleme: 7,
        photos: 'one',
        colour: 'red',
      })
      expect(fieldsOf(answer).sort()).toEqual([
        'client_id',
        'colour',
        'description',
        'photos',
        'priorite',
        'type_probleme',
      ])
    })

    it('refuses an unknown client and that of another account alike', async () => {
      const unknown = await create({ client_id: 4711 })
      const foreign = await create({ client_id: service.foreign.client_id })
      expectRefused(unknown, ['client_id'])
      expect(foreign.text.replaceAll(String(service.foreign.client_id), '4711')).toBe(unknown.text)
    })

    it.each([0, -1, 1.5, 2 ** 53, 1e300, '1', true, null, [1], { id: 1 }])('refuses the client_id %j', async (bad) => {
      expectRefused(await create({ client_id: bad }), ['client_id'])
    })

    it.each([null, [], 'text', 7, true, [{}]])('refuses the body %j', async (body) => {
      expectRefused(await send('POST', '/api/v1/sav', body), ['body'])
    })

    it.each(['__proto__', 'constructor', 'prototype', 'toString'])('refuses the field %s', async (name) => {
      const body = JSON.stringify(creation()).replace('{', `{${JSON.stringify(name)}:{"polluted":true},`)
      const answer = await door.call('POST', '/api/v1/sav', { headers: service.auth(), body })
      expectRefused(answer, [name])
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    })

    it('takes no parameters', async () => {
      expectRefused(await send('POST', '/api/v1/sav?statut=clos', creation()), ['statut'])
    })

    it('writes nothing when it refuses', async () => {
      const first = (await create()).json.data
      await create({ description: 'court' })
      await create({ client_id: 4711 })
      await create({ photos: [uri('image/jpeg', jpeg()), 'nonsense'] })
      const second = (await create()).json.data
      const number = (reference: string) => Number(reference.split('-')[2])
      expect(number(second.reference)).toBe(number(first.reference) + 1)
    })
  })

  describe('listing', () => {
    let listed: Service
    let itsDoor: Door
    const list = (query: string) => itsDoor.call('GET', `/api/v1/sav?${query}`, { headers: listed.auth() })

    beforeAll(async () => {
      listed = await openService(await store())
      itsDoor = await open(listed.api)
      const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
      for (let i = 0; i < 201; i += 1) {
        const priorite = i % 2 === 0 ? 'haute' : 'basse'
        const { id } = await listed.sav.cases.create(actor, { client_id: listed.client_id, description, priorite })
        if (i < 3) await listed.sav.cases.update(actor, id, { statut: 'en_cours', poseur_id: listed.poseur_id })
        if (i === 0) await listed.sav.cases.close(actor, id, { resolution })
        await listed.clock.advance(3_600_000)
      }
    })
    afterAll(async () => {
      await itsDoor.close()
      await listed.storage.close()
    })

    it('shows the newest 50 first, with the true total', async () => {
      const { status, json } = await itsDoor.call('GET', '/api/v1/sav', { headers: listed.auth() })
      expect(status).toBe(200)
      expect(json.success).toBe(true)
      expect(json.pagination).toEqual({ page: 1, limite: 50, total: 201 })
      expect(json.data).toHaveLength(50)
      expect(json.data[0].reference).toBe('SAV-2026-00201')
    })

    it('shows a case in the specified shape', async () => {
      const { json } = await list('statut=clos')
      expect(json.data).toEqual([
        {
          id: expect.any(Number),
          reference: 'SAV-2026-00001',
          client: { id: listed.client_id, nom: 'Durand', prenom: 'Alice' },
          description,
          statut: 'clos',
          priorite: 'haute',
          date_creation: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          poseur_assigne: { id: listed.poseur_id, nom: 'Bruno Petit' },
        },
      ])
    })

    it.each([
      ['limite=1', 1, 201],
      ['limite=200', 200, 201],
      ['page=5', 1, 201],
      ['page=6', 0, 201],
      ['page=1000000000', 0, 201],
      ['statut=en_cours', 2, 2],
      ['statut=ouvert&limite=200', 198, 198],
      ['priorite=basse&limite=200', 100, 100],
      ['depuis=2026-01-23', 20, 20],
      ['recherche=fa%C3%A7ade', 0, 0],
      ['recherche=porte+du%20meuble&limite=2', 2, 201],
      ['type_probleme=autre&limite=2', 2, 201],
      ['modifie_depuis=2026-01-23T18:30:00Z', 1, 1],
      ['', 50, 201],
      ['&&limite=3&', 3, 201],
    ])('%s gives %i of %i', async (query, shown, total) => {
      const { json, status } = await list(query)
      expect(status).toBe(200)
      expect(json.data).toHaveLength(shown)
      expect(json.pagination.total).toBe(total)
    })

    it('filters by client and poseur, ours only', async () => {
      const total = async (query: string) => (await list(query)).json.pagination.total
      expect(await total(`client_id=${listed.client_id}`)).toBe(201)
      expect(await total(`poseur_id=${listed.poseur_id}`)).toBe(3)
      expect(await total(`client_id=${listed.foreign.client_id}`)).toBe(0)
      const theirs = await itsDoor.call('GET', '/api/v1/sav', { headers: listed.otherAuth })
      expect(theirs.json.pagination.total).toBe(0)
    })

    it.each([
      ['limite=0', ['limite']],
      ['limite=201', ['limite']],
      ['limite=-1', ['limite']],
      ['limite=1.0', ['limite']],
      ['limite=1e2', ['limite']],
      ['limite=+5', ['limite']],
      ['limite=0x10', ['limite']],
      ['limite=', ['limite']],
      ['limite', ['limite']],
      ['limite=99999999999999999999', ['limite']],
      ['page=0', ['page']],
      ['page=1000000001', ['page']],
      ['client_id=0', ['client_id']],
      ['client_id=9007199254740992', ['client_id']],
      ['client_id=abc', ['client_id']],
      ['statut=fini', ['statut']],
      ['statut=', ['statut']],
      ['depuis=2026-02-30', ['depuis']],
      ['depuis=15/01/2026', ['depuis']],
      ['depuis=2026-01-15T00:00:00Z', ['depuis']],
      ['modifie_depuis=hier', ['modifie_depuis']],
      ['recherche=', ['recherche']],
      ['recherche=%00', ['recherche']],
      ['recherche=%zz', ['recherche']],
      ['recherche=%ff', ['recherche']],
      ['statut=ouvert&statut=clos', ['statut']],
      ['limite=5&limite=5', ['limite']],
      ['statu=ouvert', ['statu']],
      ['%zz=1', ['%zz']],
      ['__proto__=1', ['__proto__']],
      ['limite=0&page=0&page=1&statut=x&colour=red', ['statut', 'limite', 'page', 'colour']],
    ])('%s is refused by name', async (query, fields) => {
      expectRefused(await list(query), fields)
    })
  })

  describe('reading one', () => {
    it('answers with everything about it, and its ETag', async () => {
      const id = await newCase({ photos: [uri('image/jpeg', jpeg()), 'https://photos.example/b.jpg'] })
      const { status, headers, json } = await get(`/api/v1/sav/${id}`)
      expect(status).toBe(200)
      expect(headers['etag']).toBe(`"${id}-1"`)
      expect(json.data).toMatchObject({
        id,
        description,
        interventions: [],
        historique: [{ type: 'creation', acteur: { type: 'cle', nom: 'test' } }],
        photos: [{ url: `/api/v1/sav/${id}/fichiers/${sha256(jpeg())}` }, { url: 'https://photos.example/b.jpg' }],
        version: 1,
      })
    })

    it.each([
      '0',
      '-1',
      '01',
      '1.0',
      '1e0',
      'abc',
      '9007199254740992',
      '99999999999999999999',
      '%20',
      'SAV-2026-00001',
    ])('answers to the id %s as to one that does not exist', async (id) => {
      const answer = await get(`/api/v1/sav/${id}`)
      expect(answer.status).toBe(404)
      expect(answer.text).toBe('{"success":false,"error":"Case not found"}')
    })

    it('answers for the case of another account byte for byte as for a missing one', async () => {
      const id = await newCase()
      const shown = ({ status, headers: { 'x-request-id': _, date: __, ...headers }, text }: Answer) => ({
        status,
        headers,
        text,
      })
      const requests: [string, string, unknown?][] = [
        ['GET', ''],
        ['PUT', '', { statut: 'en_cours' }],
        ['PUT', '', { statut: 'fini' }],
        ['POST', '/cloturer', { resolution }],
        ['POST', '/rouvrir', { motif: 'Le client rappelle.' }],
        ['GET', '/preuve'],
        ['GET', `/fichiers/${sha256(jpeg())}`],
        ['DELETE', ''],
      ]
      for (const [method, path, body] of requests) {
        const sent = { headers: service.otherAuth, ...(body !== undefined && { body: JSON.stringify(body) }) }
        const foreign = await door.call(method, `/api/v1/sav/${id}${path}`, sent)
        expect(shown(foreign)).toEqual(shown(await door.call(method, `/api/v1/sav/${2 ** 53 - 1}${path}`, sent)))
        expect(shown(foreign)).toEqual(shown(await door.call(method, `/api/v1/sav/abc${path}`, sent)))
        expect(foreign.status).toBeGreaterThanOrEqual(400)
      }
      expect((await get(`/api/v1/sav/${id}`)).json.data.version).toBe(1)
    })

    it('takes no parameters', async () => {
      expectRefused(await get(`/api/v1/sav/${await newCase()}?full=1`), ['full'])
    })
  })

  describe('updating', () => {
    it('answers with the whole case and its new ETag', async () => {
      const id = await newCase()
      const answer = await send('PUT', `/api/v1/sav/${id}`, { statut: 'en_cours', poseur_id: service.poseur_id })
      expect(answer.status).toBe(200)
      expect(answer.headers['etag']).toBe(`"${id}-2"`)
      expect(answer.json).toEqual((await get(`/api/v1/sav/${id}`)).json)
      expect(answer.json.data).toMatchObject({ statut: 'en_cours', poseur_assigne: { nom: 'Bruno Petit' }, version: 2 })
    })

    it('to what is already so changes nothing', async () => {
      const id = await newCase()
      const answer = await send('PUT', `/api/v1/sav/${id}`, { statut: 'ouvert' })
      expect(answer.status).toBe(200)
      expect(answer.json.data.version).toBe(1)
    })

    it.each([
      [{}, ['body']],
      [{ statut: 'fini' }, ['statut']],
      [{ poseur_id: 4711 }, ['poseur_id']],
      [{ poseur_id: '1' }, ['poseur_id']],
      [{ notes_internes: 'x'.repeat(5001) }, ['notes_internes']],
      [{ statut: 'ouvert', description: 'La porte est réparée.' }, ['description']],
      [{ statut: null, priorite: 1, poseur_id: 0, x: 1 }, ['statut', 'poseur_id', 'priorite', 'x']],
    ])('%j is refused by name', async (body, fields) => {
      expectRefused(await send('PUT', `/api/v1/sav/${await newCase()}`, body), fields)
    })

    it('takes notes of 5000 characters, and takes them away by null', async () => {
      const id = await newCase()
      const notes_internes = 'x'.repeat(5000)
      expect((await send('PUT', `/api/v1/sav/${id}`, { notes_internes })).json.data.notes_internes).toBe(notes_internes)
      const cleared = await send('PUT', `/api/v1/sav/${id}`, { notes_internes: null })
      expect(cleared.json.data.notes_internes).toBeNull()
    })

    it('neither closes a case nor changes a closed one, but for its notes', async () => {
      const id = await closed()
      for (const [path, body] of [
        [`/api/v1/sav/${await newCase()}`, { statut: 'clos' }],
        [`/api/v1/sav/${id}`, { priorite: 'haute' }],
        [`/api/v1/sav/${id}`, { statut: 'en_cours' }],
      ] as const) {
        const answer = await send('PUT', path, body)
        expect(answer.status).toBe(409)
        expect(answer.json).toEqual({ success: false, error: 'Conflict', detail: expect.stringMatching(/^Case SAV-/) })
      }
      expect((await send('PUT', `/api/v1/sav/${id}`, { notes_internes: 'Rappeler.' })).status).toBe(200)
    })

    it.each([
      ['the tag of its version', (id: number) => `"${id}-1"`, 200],
      ['a list with that tag', (id: number) => `"${id}-7" , "${id}-1"`, 200],
      ['a star', () => '*', 200],
      ['a stale tag', (id: number) => `"${id}-2"`, 412],
      ['the tag of another case', (id: number) => `"${id + 1}-1"`, 412],
      ['a weak tag', (id: number) => `W/"${id}-1"`, 412],
      ['a tag without quotes', (id: number) => `${id}-1`, 412],
      ['a list with something else in it', (id: number) => `"${id}-1", nonsense`, 412],
      ['nothing in it', () => '', 412],
    ])('If-Match with %s', async (_, tag, status) => {
      const id = await newCase()
      const answer = await send('PUT', `/api/v1/sav/${id}`, { statut: 'en_cours' }, { 'if-match': tag(id) })
      expect(answer.status).toBe(status)
      expect((await get(`/api/v1/sav/${id}`)).json.data.version).toBe(status === 200 ? 2 : 1)
      if (status === 412) expect(answer.json).toMatchObject({ success: false, error: 'Precondition failed' })
    })
  })

  describe('closing', () => {
    it('answers with the evidence', async () => {
      const id = await newCase()
      const answer = await send('POST', `/api/v1/sav/${id}/cloturer`, {
        resolution,
        photo_avant: uri('image/jpeg', jpeg()),
        signature_client: uri('image/png', png()),
        signataire_nom: 'Alice Durand',
        reserves: ['Une rayure sur la façade.'],
      })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        success: true,
        data: {
          id,
          reference: expect.stringMatching(/^SAV-/),
          statut: 'clos',
          date_cloture: expect.stringMatching(/Z$/),
          hash_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          preuve: { sequence: expect.any(Number), hash_entree: expect.stringMatching(/^[0-9a-f]{64}$/) },
          pv: { statut: 'non_configure' },
        },
      })
    })

    it('a second time answers 409 with the hash that stands', async () => {
      const id = await newCase()
      const { hash_sha256 } = (await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution })).json.data
      const second = await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution: 'Une autre résolution.' })
      expect(second.status).toBe(409)
      expect(second.json).toEqual({ success: false, error: 'Case is already closed', hash_sha256 })
    })

    it.each([
      [{}, ['resolution']],
      [{ resolution: 'x'.repeat(9) }, ['resolution']],
      [{ resolution: 'x'.repeat(4001) }, ['resolution']],
      [{ resolution, photo_avant: 'https://photos.example/a.jpg' }, ['photo_avant']],
      [{ resolution, signature_client: uri('image/jpeg', jpeg()) }, ['signature_client']],
      [{ resolution, signature_client: uri('image/png', png({ width: 2001 })) }, ['signature_client']],
      [{ resolution, signature_client: uri('image/png', png({ height: 1001 })) }, ['signature_client']],
      [{ resolution, signature_client: uri('image/png', png({ length: 512 * 1024 + 1 })) }, ['signature_client']],
      [{ resolution, signataire_nom: 'x'.repeat(121) }, ['signataire_nom']],
      [{ resolution, reserves: Array(21).fill('x') }, ['reserves']],
      [{ resolution, reserves: ['x'.repeat(501)] }, ['reserves[0]']],
      [{ resolution, statut: 'clos' }, ['statut']],
    ])('refuses by name (%#)', async (body, fields) => {
      const id = await newCase()
      expectRefused(await send('POST', `/api/v1/sav/${id}/cloturer`, body), fields)
      expect((await get(`/api/v1/sav/${id}`)).json.data.statut).toBe('ouvert')
    })

    it.each([
      { resolution: 'x'.repeat(10) },
      { resolution: 'x'.repeat(4000) },
      { resolution, signature_client: uri('image/png', png({ width: 2000, height: 1000, length: 512 * 1024 })) },
      { resolution, signataire_nom: 'x'.repeat(120), reserves: Array(20).fill('x'.repeat(500)) },
    ])('takes everything up to its limits (%#)', async (body) => {
      const answer = await send('POST', `/api/v1/sav/${await newCase()}/cloturer`, body)
      expect(answer.status).toBe(200)
    })
  })

  describe('reopening', () => {
    it('answers with the case, open again', async () => {
      const id = await closed()
      const answer = await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif: 'Le client rappelle.' })
      expect(answer.status).toBe(200)
      expect(answer.headers['etag']).toBe(`"${id}-3"`)
      expect(answer.json.data).toMatchObject({
        statut: 'en_cours',
        resolution: null,
        preuve: [{ hash_sha256: expect.any(String) }],
      })
    })

    it('needs a closed case, and a reason of 10 to 1000 characters', async () => {
      const conflict = await send('POST', `/api/v1/sav/${await newCase()}/rouvrir`, { motif: 'x'.repeat(10) })
      expect(conflict.status).toBe(409)
      expect(conflict.json.error).toBe('Conflict')
      const id = await closed()
      for (const motif of ['x'.repeat(9), 'x'.repeat(1001), undefined])
        expectRefused(await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif }), ['motif'])
      expect((await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif: 'x'.repeat(1000) })).status).toBe(200)
    })
  })

  describe('evidence', () => {
    it('lets anyone recompute a close and its place in the chain', async () => {
      const first = await closed()
      const second = await closed()
      const { json, status } = await get(`/api/v1/sav/${first}/preuve`)
      expect(status).toBe(200)
      const { snapshot, hash_sha256, entree, precedente, suivante } = json.data
      expect(Object.keys(json.data).sort()).toEqual(
        'effacement entree hash_sha256 horodatage precedente snapshot suivante'.split(' '),
      )
      expect(sha256(snapshot)).toBe(hash_sha256)
      expect(Object.keys(entree).sort()).toEqual(
        'account date hash_dossier hash_entree hash_precedent reference sequence version'.split(' '),
      )
      expect(entree.hash_dossier).toBe(hash_sha256)
      const { hash_entree, ...link } = entree
      const canonical = Object.fromEntries(Object.entries(link).sort(([a], [b]) => (a < b ? -1 : 1)))
      expect(sha256(JSON.stringify(canonical))).toBe(hash_entree)
      expect(entree.hash_precedent).toBe(precedente?.hash_entree ?? '0'.repeat(64))
      expect(suivante).toEqual((await get(`/api/v1/sav/${second}/preuve`)).json.data.entree)
    })

    it('of an earlier close is found by its sequence', async () => {
      const id = await closed()
      const earlier = (await get(`/api/v1/sav/${id}/preuve`)).json.data.entree.sequence
      await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif: 'Le client rappelle.' })
      await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution: 'Réglée une seconde fois.' })
      const latest = (await get(`/api/v1/sav/${id}/preuve`)).json.data
      expect(latest.entree.sequence).toBeGreaterThan(earlier)
      const found = (await get(`/api/v1/sav/${id}/preuve?sequence=${earlier}`)).json.data
      expect(JSON.parse(found.snapshot).resolution).toBe(resolution)
      const other = await closed()
      expect((await get(`/api/v1/sav/${other}/preuve?sequence=${earlier}`)).json).toEqual({
        success: false,
        error: 'Not found',
      })
    })

    it.each([
      'sequence=0',
      'sequence=-1',
      'sequence=1.5',
      'sequence=',
      'sequence=1&sequence=2',
      'sequence=9007199254740992',
    ])('?%s is refused by name', async (query) => {
      expectRefused(await get(`/api/v1/sav/${await closed()}/preuve?${query}`), ['sequence'])
    })

    it('of a case never closed is not found', async () => {
      expect((await get(`/api/v1/sav/${await newCase()}/preuve`)).json).toEqual({ success: false, error: 'Not found' })
    })
  })

  describe('files', () => {
    it('come back byte for byte, through the case that holds them', async () => {
      const id = await newCase({ photos: [uri('image/jpeg', jpeg())] })
      const [{ url }] = (await get(`/api/v1/sav/${id}`)).json.data.photos
      const { status, headers, bytes } = await get(url)
      expect(status).toBe(200)
      expect(bytes.equals(jpeg())).toBe(true)
      expect(headers).toMatchObject({
        'content-type': 'image/jpeg',
        'content-disposition': expect.stringMatching(/^inline; filename="[0-9a-f]+\.jpeg"$/),
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=31536000, immutable',
        etag: `"${sha256(jpeg())}"`,
        'content-length': String(jpeg().length),
      })
      const head = await door.call('HEAD', url, { headers: service.auth() })
      expect(head.bytes.length).toBe(0)
      expect(head.headers['content-length']).toBe(String(jpeg().length))
    })

    it('are found through no other case', async () => {
      await newCase({ photos: [uri('image/jpeg', jpeg())] })
      const other = await newCase()
      for (const name of [sha256(jpeg()), '0'.repeat(64), 'nonsense', '..%2f..']) {
        const answer = await get(`/api/v1/sav/${other}/fichiers/${name}`)
        expect(answer.status).toBe(404)
        expect(answer.json).toEqual({ success: false, error: 'Not found' })
      }
    })
  })

  it('never answered 500, and never failed unseen', () => {
    expect(service.failures).toEqual([])
  })
})
