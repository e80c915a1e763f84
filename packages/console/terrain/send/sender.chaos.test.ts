import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fate, FieldService } from '../../test/terrain/field-service.js'
import { Kitchen } from '../../test/terrain/kitchen.js'
import { dayOf, fact, visit } from '../../test/terrain/samples.js'
import { unsentCount } from '../sync/item.js'
import type { SendResult } from './sender.js'

let service: FieldService

beforeAll(async () => {
  service = new FieldService(async () => ({ status: 404, headers: [], body: '' }), dayOf([visit(1), visit(2)]))
  await service.listen()
})
afterAll(() => service.close())

/** @param cookie of whoever is signed in on it */
const sent = (phone: Kitchen, cookie = 'person=usr_bruno', isStopped?: () => boolean): Promise<SendResult> =>
  phone.send(
    (path, init) =>
      fetch(service.url + path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), cookie } }),
    isStopped,
  )

function begin(): Kitchen {
  service.recorded.length = 0
  service.files.clear()
  service.parts.clear()
  service.fate = () => 'arrives'
  return new Kitchen()
}

/** A visit as an installer tells it: begun, done with three photos, and a word behind. */
async function toldVisit(phone: Kitchen): Promise<{ keys: string[]; files: string[] }> {
  const files = [await phone.photo(600_000), await phone.photo(300_000), await phone.photo(9_000)]
  const photos = files.map((sha256) => ({ sha256, moment: 'apres' as const }))
  const keys = ['debut', 'intervention', 'commentaire'].map((name) => `${name}-${crypto.randomUUID()}`)
  const [debut = '', intervention = '', commentaire = ''] = keys
  phone.tell(fact(debut, 1, { operation: 'debut', body: {} }))
  phone.tell(fact(intervention, 1, { operation: 'intervention', body: { resultat: 'resolu', photos } }, files))
  phone.tell(fact(commentaire, 1, { operation: 'commentaire', body: { texte: 'Prévoir un joint.' } }))
  return { keys, files }
}

const isLong = process.env['SAV_TEST_CHAOS'] === '1'
const runs = isLong ? 500 : 20
const bad: Fate[] = ['request lost', 'cut', 'answer lost', 'busy']

describe('a visit that is sent', { timeout: 600_000 }, () => {
  it(`is there once, with all its files, wherever the network is cut: ${runs} times`, async () => {
    for (let run = 0; run < runs; run += 1) {
      const phone = begin()
      const { keys, files } = await toldVisit(phone)
      let calls = 0
      // Each request of a visit is cut in each way, by the runs together; some runs are cut again and again.
      service.fate = () => {
        calls += 1
        const isHit = run % 3 === 0 ? calls % 3 === 0 : calls === 1 + (run % 17)
        return isHit ? (bad[(run + calls) % bad.length] ?? 'busy') : 'arrives'
      }
      for (let round = 0; round < 60 && unsentCount(phone.kept) > 0; round += 1) {
        phone.hurry()
        await sent(phone)
      }
      expect(service.recorded.map(({ key }) => key)).toEqual(keys)
      expect([...service.files.keys()].toSorted()).toEqual(files.toSorted())
      expect(phone.kept.files).toEqual([])
    }
  })

  it('goes on where the phone died in the middle of it', async () => {
    const phone = begin()
    const { keys } = await toldVisit(phone)
    for (let step = 0; step < 30 && unsentCount(phone.kept) > 0; step += 1) {
      let asked = 0
      // Twice it may ask whether it should stop: so it takes one step of it.
      await sent(phone, undefined, () => ++asked > 1)
    }
    expect(service.recorded.map(({ key }) => key)).toEqual(keys)
  })

  it('is sent as its own person alone', async () => {
    const phone = begin()
    await toldVisit(phone)
    expect(await sent(phone, 'person=usr_karim')).toEqual({ is: 'other-person' })
    expect(await sent(phone, '')).toEqual({ is: 'signed-out' })
    service.ended.add('usr_bruno')
    expect(await sent(phone)).toEqual({ is: 'ended' })
    service.ended.clear()
    expect(service.recorded).toEqual([])
    expect(unsentCount(phone.kept)).toBe(3)
    expect(await sent(phone)).toEqual({ is: 'done' })
  })

  it('sends a file again that the service has lost meanwhile', async () => {
    const phone = begin()
    const { keys, files } = await toldVisit(phone)
    let writes = 0
    service.fate = ({ path }) => {
      if (path.endsWith('/intervention') && writes++ === 0) service.files.delete(files[1] ?? '')
      return 'arrives'
    }
    expect(await sent(phone)).toEqual({ is: 'done' })
    expect(service.recorded.map(({ key }) => key)).toEqual(keys)
    expect(service.files.size).toBe(3)
  })
})
