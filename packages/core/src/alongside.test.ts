import { describe, expect, it } from 'vitest'
import { openSav } from '../test/open-sav.js'
import type { UseCases } from './sav.js'

const description = 'La porte du meuble bas ne ferme plus.'
const url = 'https://receiver.example/hooks'
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

type Opened = Awaited<ReturnType<typeof openSav>>

/** What is there before the use case, which is then called alongside something else. */
const writes: Record<string, (opened: Opened) => Promise<(useCases: UseCases) => Promise<unknown>>> = {
  'accounts.add': async () => (sav) => sav.accounts.add('atelier'),
  'accounts.update': async () => (sav) => sav.accounts.update('default', { siret: '12345678900011' }),
  'clients.add': async () => (sav) => sav.directory.clients.add('default', { nom: 'Petit', prenom: 'Zoé' }),
  'clients.update':
    async ({ client }) =>
    (sav) =>
      sav.directory.clients.update('default', client.id, { nom: 'Petit' }),
  'poseurs.add': async () => (sav) => sav.directory.poseurs.add('default', { nom: 'Zoé' }),
  'poseurs.update':
    async ({ poseur }) =>
    (sav) =>
      sav.directory.poseurs.update('default', poseur.id, { nom: 'Zoé' }),
  'keys.create': async () => (sav) => sav.keys.create('default', { nom: 'site', permissions: ['sav:read'] }),
  'keys.roll': async ({ sav }) => {
    const { id } = await sav.keys.create('default', { nom: 'site', permissions: ['sav:read'] })
    return (sav) => sav.keys.roll('default', id, {})
  },
  'keys.revoke': async ({ sav }) => {
    const { id } = await sav.keys.create('default', { nom: 'site', permissions: ['sav:read'] })
    return (sav) => sav.keys.revoke('default', id)
  },
  'cases.create':
    async ({ actor, client }) =>
    (sav) =>
      sav.cases.create(actor, { client_id: client.id, description }),
  'cases.update': async (opened) => {
    const id = await addCase(opened)
    return (sav) => sav.cases.update(opened.actor, id, { statut: 'en_cours' })
  },
  'cases.update, when nothing changes': async (opened) => {
    const id = await addCase(opened)
    return (sav) => sav.cases.update(opened.actor, id, { statut: 'ouvert' })
  },
  'cases.close': async (opened) => {
    const id = await addCase(opened)
    const input = { resolution: 'Charnière remplacée.', photo_apres: pixel, signature_client: pixel }
    return (sav) => sav.cases.close(opened.actor, id, input)
  },
  'cases.reopen': async (opened) => {
    const id = await addCase(opened)
    await opened.sav.cases.close(opened.actor, id, { resolution: 'Charnière remplacée.' })
    return (sav) => sav.cases.reopen(opened.actor, id, { motif: 'La porte grince encore.' })
  },
  'webhooks.add': async () => (sav) => sav.webhooks.add('default', { url, events: ['sav.created'] }),
  'webhooks.update': async (opened) => {
    const id = await addEndpoint(opened)
    return (sav) => sav.webhooks.update('default', id, { description: 'ERP', headers: { 'X-Key': 'k' } })
  },
  'webhooks.disable': async (opened) => {
    const id = await addEndpoint(opened)
    return (sav) => sav.webhooks.disable('default', id)
  },
  'webhooks.enable': async (opened) => {
    const id = await addEndpoint(opened)
    return (sav) => sav.webhooks.enable('default', id)
  },
  'webhooks.remove': async (opened) => {
    const id = await addEndpoint(opened)
    return (sav) => sav.webhooks.remove('default', id)
  },
  'webhooks.rotateSecret': async (opened) => {
    const id = await addEndpoint(opened)
    return (sav) => sav.webhooks.rotateSecret('default', id, {})
  },
  'webhooks.test': async (opened) => {
    const id = await addEndpoint(opened)
    return (sav) => sav.webhooks.test('default', id)
  },
  'webhooks.retry': async (opened) => {
    const id = await addEndpoint(opened)
    const { delivery_id } = await opened.sav.webhooks.test('default', id)
    return (sav) => sav.webhooks.retry('default', delivery_id)
  },
  'webhooks.start, a replay': async () => (sav) => sav.webhooks.start('default', {}),
  'webhooks.cancel, a replay': async ({ sav }) => {
    const { id } = await sav.webhooks.start('default', {})
    return (sav) => sav.webhooks.cancel('default', id)
  },
}

async function addCase({ sav, actor, client }: Opened): Promise<number> {
  return (await sav.cases.create(actor, { client_id: client.id, description })).id
}

async function addEndpoint({ sav }: Opened): Promise<string> {
  return (await sav.webhooks.add('default', { url, events: ['sav.created'] })).id
}

describe('alongside a write', () => {
  it.each(Object.keys(writes))('%s: its very result is known in its one transaction', async (name) => {
    const opened = await openSav()
    const write = await writes[name]?.(opened)
    const results: unknown[] = []
    const alongside = opened.sav.alongside(async (tx, result) => {
      results.push(structuredClone(result))
      await tx.setFact('alongside', name)
    })
    const result = await write?.(alongside)
    expect(results).toEqual([result])
    expect(await opened.storage.fact('alongside')).toBe(name)
  })

  it('a failure undoes both', async () => {
    const { sav, storage, actor, client } = await openSav()
    const refusal = new Error('changed our mind')
    const alongside = sav.alongside(async (tx) => {
      await tx.setFact('alongside', 'done')
      throw refusal
    })
    const input = { client_id: client.id, description }
    await expect(alongside.cases.create(actor, input)).rejects.toBe(refusal)
    expect(await sav.cases.list('default', {})).toMatchObject({ total: 0 })
    expect(await storage.fact('alongside')).toBeNull()
    expect((await sav.cases.create(actor, input)).reference).toBe('SAV-2026-00001')
  })

  it('what fails by itself has nothing alongside', async () => {
    const { sav, actor, client } = await openSav()
    let called = 0
    const alongside = sav.alongside(async () => {
      called += 1
    })
    await expect(alongside.cases.create(actor, { client_id: client.id + 1, description })).rejects.toThrow()
    await expect(alongside.cases.update(actor, 99, { statut: 'en_cours' })).rejects.toThrow()
    expect(await alongside.cases.list('default', {})).toMatchObject({ total: 0 })
    expect(called).toBe(0)
  })

  it('a key that is revoked is refused at once in the whole process', async () => {
    const { sav } = await openSav()
    const { key, id } = await sav.keys.create('default', { nom: 'site', permissions: ['sav:read'] })
    expect(await sav.keys.authenticate(key, '203.0.113.9')).not.toBeNull()
    await sav.alongside(async () => {}).keys.revoke('default', id)
    expect(await sav.keys.authenticate(key, '203.0.113.9')).toBeNull()
  })
})
