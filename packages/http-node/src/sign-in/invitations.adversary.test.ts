import { createWorker, type Permission } from '@sav/core'
import { specifiedDelivery } from '@sav/core/internal'
import type { Letter } from '@sav/core/ports'
import { httpAnswer, seededRandom } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { as } from '../../test/composed.js'
import { fetchDoor, openService } from '../../test/service.js'

const origin = 'https://sav.petit.example'
const all = '/api/v1/webhooks/livraisons'

/** A service that sends e-mail, and an invitation that is in its person's mailbox. */
async function invitedByEmail() {
  const service = await openService(undefined, { letters: ['email'], publicUrl: origin })
  const { sav, storage, clock } = service
  const letters: Letter[] = []
  const worker = createWorker({
    ...{ storage, clock, random: seededRandom(2), secretKey: new Uint8Array(32) },
    ...specifiedDelivery,
    http: { post: async () => httpAnswer(200), close: async () => {} },
    reports: {
      renderer: { render: async () => Buffer.from('%PDF-1.7') },
      carriers: {
        email: {
          timeoutMs: 5_000,
          async carry(letter) {
            letters.push(letter)
            return httpAnswer(250)
          },
        },
      },
      checkUrl: () => null,
      timestamper: null,
    },
  })
  const settle = async () => {
    worker.start()
    for (let waited = 0; waited < 5; waited += 1) await clock.advance(1_000)
    await worker.stop()
  }
  const person = { nom: 'Claire Petit', email: 'claire@petit.example', role: 'administration' } as const
  const { id } = await sav.users.add(as('default'), person)
  const invitation = await sav.users.invite(as('default'), id)
  await settle()
  const door = fetchDoor(service.api)
  const callWith = async (...permissions: Permission[]) => {
    const authorization = `Bearer ${await service.key(permissions)}`
    return (path: string, body?: object) =>
      door.call('POST', path, { headers: service.auth({ authorization }), ...(body && { body: JSON.stringify(body) }) })
  }
  const [letter] = letters
  return {
    letters,
    settle,
    callWith,
    delivery: invitation.canal === 'email' ? invitation.livraison : '',
    enter: () =>
      door.call('POST', '/app/session/invitation', {
        headers: { origin, host: new URL(origin).host, 'x-sav-console': '1', 'content-type': 'application/json' },
        body: JSON.stringify({ token: letter?.kind === 'invitation' ? letter.url.split('#')[1] : '' }),
      }),
    expire: () => clock.advance(15 * 60_000),
  }
}

describe.each(['used', 'expired'])('an invitation that is %s', (what) => {
  it.each([[['admin']], [['webhooks:write', 'sav:write']]] as const)(
    'is mailed again by no key of %j',
    async (held) => {
      const { letters, settle, callWith, delivery, enter, expire } = await invitedByEmail()
      if (what === 'used') expect((await enter()).status).toBe(200)
      else await expire()
      const call = await callWith(...held)
      expect(await call(`${all}/${delivery}/rejouer`)).toMatchObject({
        status: 409,
        json: { detail: `Delivery ${delivery} is an invitation, which is sent once: invite the person again.` },
      })
      for (const filter of [{}, { event: 'invitation' }, { endpoint_id: 'email' }, { since: '2020-01-01' }]) {
        const state = 'delivered'
        const preview = await call(`${all}/rejouer`, { ...filter, state, dry_run: true })
        expect(preview.json.data).toEqual({ matched: 0 })
        expect((await call(`${all}/rejouer`, { ...filter, state })).status).toBe(202)
      }
      await settle()
      expect(letters).toHaveLength(1)
      expect((await enter()).status).toBe(401)
    },
  )
})
