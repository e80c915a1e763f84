import { describe, expect, it } from 'vitest'
import { openSav } from '../../test/open-sav.js'
import { fixedClock } from '../testing/index.js'
import { createStamping } from './stamping.js'

async function house(stamp: (hash: string) => Promise<Uint8Array>) {
  const clock = fixedClock()
  const renderer = { render: async () => new Uint8Array() }
  const reports = { renderer, carriers: {}, checkUrl: () => null, timestamper: { stamp } }
  const opened = await openSav({ clock, reports })
  const { sav, actor, client, storage } = opened
  const close = async () => {
    const { id } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
    return { ...(await sav.cases.close(actor, id, { resolution: 'Porte réglée, charnière remplacée.' })) }
  }
  return { ...opened, clock, close, stamp: createStamping({ storage, clock, timestamper: { stamp } }) }
}

describe('stamping the chain', () => {
  it('stamps the newest entry once; the stamp covers every earlier entry', async () => {
    const asked: string[] = []
    const { sav, account_id, close, stamp } = await house(async (hash) => {
      asked.push(hash)
      return Uint8Array.of(1, 2, 3)
    })
    await stamp()
    expect(asked).toEqual([])
    const [first, second] = [await close(), await close()]
    expect((await sav.cases.proof(account_id, first.id)).horodatage).toBeNull()
    await stamp()
    await stamp()
    expect(asked).toEqual([second.preuve.hash_entree])
    expect((await sav.cases.proof(account_id, first.id)).horodatage).toEqual({
      sequence: 2,
      hash_entree: second.preuve.hash_entree,
      date: expect.any(String),
      token: 'AQID',
    })
    await close()
    await stamp()
    expect(asked).toHaveLength(2)
  })

  it('is done by the worker every hour, also after a failure of the authority', async () => {
    let asked = 0
    const { sav, worker, account_id, clock, close } = await house(async () => {
      asked += 1
      if (asked === 1) throw new Error('the authority is away')
      return Uint8Array.of(1)
    })
    const { id } = await close()
    worker.start()
    await clock.advance(60_000)
    expect(asked).toBe(1)
    await clock.advance(3_600_000)
    expect(asked).toBe(2)
    expect((await sav.cases.proof(account_id, id)).horodatage).not.toBeNull()
    await worker.stop()
  })
})
