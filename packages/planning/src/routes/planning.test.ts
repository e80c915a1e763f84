import { describe, expect, it } from 'vitest'
import { onSqlite, served } from '../../../http-node/test/service.js'

describe('the planning', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store())
  const key = await service.key(['planning:read', 'planning:write'])

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    door.call(method, path, {
      headers: {
        ...service.auth({ 'x-request-timestamp': String(Math.floor(service.clock.now() / 1000)), ...headers }),
        authorization: `Bearer ${key}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const booking = (debut: string) => {
    const { client_id, poseur_id } = service
    return { client_id, poseur_id, debut, duree_minutes: 90 }
  }

  it('is the same under its two paths: a booking made under one is read and moved under the other', async () => {
    const booked = await send('POST', '/v1/planning/rdv', booking('2026-04-07T09:00:00+02:00'))
    expect(booked.status).toBe(201)
    const { id } = booked.json.data
    expect(booked.headers['location']).toBe(`/v1/planning/${id}`)
    expect(booked.json.data).toMatchObject({
      debut: '2026-04-07T07:00:00.000Z',
      statut: 'planifie',
      avertissements: [],
    })
    const read = await send('GET', `/api/v1/planning/${id}`)
    expect(read.headers['etag']).toBe(`"${id}-1"`)
    const moved = await send('PATCH', `/api/v1/planning/${id}`, { duree_minutes: 60 }, { 'if-match': `"${id}-1"` })
    expect([moved.status, moved.headers['etag']]).toEqual([200, `"${id}-2"`])
    const stale = await send('PATCH', `/v1/planning/${id}`, { duree_minutes: 30 }, { 'if-match': `"${id}-1"` })
    expect(stale.status).toBe(412)

    const taken = await send('POST', '/api/v1/planning/rdv', booking('2026-04-07T07:30:00Z'))
    expect([taken.status, taken.json]).toMatchObject([
      409,
      {
        success: false,
        error: 'Time slot is already taken',
        conflit: {
          ...{ id, debut: '2026-04-07T07:00:00.000Z', fin: '2026-04-07T08:00:00.000Z' },
          poseur: { id: service.poseur_id },
        },
        alternatives: Array(3).fill(expect.objectContaining({ jeton: expect.stringMatching(/^c1\./) })),
      },
    ])
    for (const path of ['/v1/planning', '/api/v1/planning']) {
      const { json } = await send('GET', `${path}?du=2026-04-07&au=2026-04-07&poseur_id=${service.poseur_id}`)
      expect(json).toMatchObject({
        data: [{ id, version: 2 }],
        pagination: { page: 1, limite: 50, total: 1, curseur: null },
      })
    }
  })

  it('recognises the Idempotency-Key of a call under one path when it is repeated under the other', async () => {
    const again = { 'idempotency-key': 'planning-1' }
    const first = await send('POST', '/v1/planning/rdv', booking('2026-04-08T07:00:00Z'), again)
    const second = await send('POST', '/api/v1/planning/rdv', booking('2026-04-08T07:00:00Z'), again)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.bytes).toEqual(first.bytes)
    expect(second.headers['idempotency-replayed']).toBe('true')
  })
})
