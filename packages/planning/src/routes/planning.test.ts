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

  it('is one under both of its paths: a booking by one is read, moved and blocked by the other', async () => {
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

  it('one Idempotency-Key holds for both paths', async () => {
    const again = { 'idempotency-key': 'planning-1' }
    const first = await send('POST', '/v1/planning/rdv', booking('2026-04-08T07:00:00Z'), again)
    const second = await send('POST', '/api/v1/planning/rdv', booking('2026-04-08T07:00:00Z'), again)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.bytes).toEqual(first.bytes)
    expect(second.headers['idempotency-replayed']).toBe('true')
  })

  it('needs the timestamp with a PATCH as with every write', async () => {
    const { status } = await door.call('PATCH', '/v1/planning/1', {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(status).toBe(401)
  })

  it('rounds are applied, and taken back by the version that this answers', async () => {
    const date = '2026-04-14'
    const ids: number[] = []
    for (const [hour, code_postal] of [
      [8, '69700'],
      [10, '38280'],
      [13, '69700'],
    ] as const) {
      const lieu = { code_postal, ville: null }
      const booked = await send('POST', '/v1/planning/rdv', {
        ...booking(`${date}T${hour}:00:00Z`.replace('T8', 'T08')),
        lieu,
      })
      expect(booked.status).toBe(201)
      ids.push(booked.json.data.id)
    }
    const day = async () =>
      (await send('GET', `/v1/planning?du=${date}&au=${date}`)).json.data.map((rdv: { id: number; debut: string }) => [
        rdv.id,
        rdv.debut,
      ])
    const before = await day()
    const optimise = (body: object) => send('POST', '/v1/planning/tournees/optimiser', { date, ...body })
    const undo = (version: string) => send('POST', '/v1/planning/tournees/annuler', { version, prevenir: false })
    const apply = async () => {
      const { version, lettres } = (await optimise({ mode: 'apercu' })).json.data
      expect(lettres).toBe(0)
      return (await optimise({ mode: 'appliquer', version, prevenir: false })).json.data.version
    }
    const version = await apply()
    expect(await day()).not.toEqual(before)
    const undone = await undo(version)
    expect([undone.status, undone.json.data.rdv.map(({ id }: { id: number }) => id).toSorted()]).toEqual([200, ids])
    expect(undone.text).not.toContain('"nom"')
    expect(await day()).toEqual(before)
  })

  it('hours, absences and skills are put and read', async () => {
    const at = `/v1/planning/poseurs/${service.poseur_id}`
    const horaires = { periodes: [{ du: null, au: null, semaine: { mardi: [{ debut: '07:30', fin: '12:00' }] } }] }
    expect((await send('PUT', `${at}/horaires`, horaires)).json.data).toEqual({ ...horaires, exceptions: [] })
    expect((await send('GET', `/api${at}/horaires`)).json.data).toEqual({ ...horaires, exceptions: [] })
    const absence = { debut: '2026-04-07T00:00:00+02:00', fin: '2026-04-08T00:00:00+02:00' }
    const away = await send('PUT', `${at}/absences`, { absences: [absence] })
    expect(away.json.data).toMatchObject({
      absences: [{ debut: '2026-04-06T22:00:00.000Z', motif: null }],
      rdv: [{ debut: '2026-04-07T07:00:00.000Z' }],
    })
    expect((await send('PUT', `${at}/competences`, ['facade'])).json.data).toEqual({ competences: ['facade'] })
    const refused = await send('PUT', `${at}/horaires`, {
      periodes: [{ semaine: { lundi: [{ debut: '9h', fin: '12:00' }] } }],
    })
    expect([refused.status, refused.json.details[0].field]).toEqual([422, 'periodes[0].semaine.lundi[0].debut'])
  })
})
