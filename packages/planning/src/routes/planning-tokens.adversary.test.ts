import { describe, expect, it } from 'vitest'
import { inMemory, served } from '../../../http-node/test/service.js'

describe('the tokens of one account', async () => {
  const { service, door } = await served(inMemory.open)
  const { account_id } = service.foreign
  const keys = {
    ours: await service.key(['planning:read', 'planning:write']),
    theirs: await service.key(['planning:read', 'planning:write'], account_id),
  }

  const send = (who: keyof typeof keys, method: string, path: string, body?: unknown) =>
    door.call(method, path, {
      headers: { ...service.auth(), authorization: `Bearer ${keys[who]}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const day = { du: '2026-04-07', au: '2026-04-07' }
  const booked = async (who: keyof typeof keys) =>
    (await send(who, 'GET', `/v1/planning?du=${day.du}&au=${day.au}`)).json.pagination.total

  it('books nothing for another, who learns no more of it than of a forged one', async () => {
    const slots = (await send('ours', 'GET', `/v1/planning/creneaux?duree=60&du=${day.du}&au=${day.au}`)).json.data
    const { jeton } = slots[0]
    const { client_id } = service.foreign
    const stranger = await send('theirs', 'POST', '/v1/planning/rdv', { jeton, client_id })
    const forged = await send('theirs', 'POST', '/v1/planning/rdv', {
      jeton: `${jeton.slice(0, -8)}AAAAAAAA`,
      client_id,
    })
    expect([stranger.status, stranger.json.details.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['jeton'],
    ])
    expect(stranger.json.details).toEqual(forged.json.details)
    // Nor does the account whose slot it is book it for a client of theirs.
    const swapped = await send('ours', 'POST', '/v1/planning/rdv', { jeton, client_id })
    expect([swapped.status, swapped.json.details[0].field]).toEqual([422, 'client_id'])
    expect([await booked('ours'), await booked('theirs')]).toEqual([0, 0])
    const own = await send('ours', 'POST', '/v1/planning/rdv', { jeton, client_id: service.client_id })
    expect(own.status).toBe(201)
  })

  it('plans no rounds of another, nor shows them', async () => {
    const asked = { date: day.du, mode: 'apercu', poseur_ids: [service.poseur_id] }
    const { version } = (await send('ours', 'POST', '/v1/planning/tournees/optimiser', asked)).json.data
    const foreign = await send('theirs', 'POST', '/v1/planning/tournees/optimiser', asked)
    expect([foreign.status, foreign.json.details[0].field]).toEqual([422, 'poseur_ids[0]'])
    const apply = { ...asked, mode: 'appliquer', version }
    const applied = await send('theirs', 'POST', '/v1/planning/tournees/optimiser', apply)
    expect([applied.status, applied.json.details[0].field]).toEqual([422, 'version'])
    const { status, json } = await send('ours', 'POST', '/v1/planning/tournees/optimiser', apply)
    expect(status).toBe(200)

    // Nor takes them back; and a preview takes back nothing.
    const undo = (account: 'ours' | 'theirs', version: string) =>
      send(account, 'POST', '/v1/planning/tournees/annuler', { version })
    for (const refused of [await undo('theirs', json.data.version), await undo('ours', version)])
      expect([refused.status, refused.json.details[0].field]).toEqual([422, 'version'])
    expect((await undo('ours', json.data.version)).status).toBe(200)
  })
})
