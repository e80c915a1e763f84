import type { ReportRecord, SavCase, Storage } from '@sav/core/ports'
import { claimOne, delivered, failed, outcome } from '../samples/queue-samples.js'
import {
  addCase,
  addEndpoint,
  addOwner,
  digest,
  ended,
  evidence,
  instant,
  present,
  twoOwners,
} from '../samples/samples.js'
import type { Suite } from './suite.js'

function report(of: SavCase, sequence: number, fields: Partial<ReportRecord> = {}): ReportRecord {
  return {
    account_id: of.account_id,
    sequence,
    case_id: of.id,
    reference: of.reference,
    event_id: null,
    statut: 'non_configure',
    canal: null,
    pdf: null,
    erased_at: null,
    created_at: instant(sequence),
    ...fields,
  }
}

/** A report being sent by e-mail: `evt_<name>` with its delivery `dlv_<name>`. */
async function sendReport(storage: Storage, of: SavCase, sequence: number, name: string): Promise<ReportRecord> {
  const record = report(of, sequence, { event_id: `evt_${name}`, statut: 'en_file' })
  await storage.transaction(async (tx) => {
    const { account_id, created_at } = record
    const deliveries = [{ id: `dlv_${name}`, channel: 'email', target: 'email' }]
    await tx.outbox.add({ id: `evt_${name}`, account_id, event: 'sav.report', body: '{}', created_at, deliveries })
    await tx.reports.add(record)
  })
  return record
}

export function reportContract({ describe, it, expect }: Suite): void {
  describe('reception reports', () => {
    it('a report reads back by its sequence, its case and its event, and is invisible to another account', async (storage) => {
      const { ours } = await twoOwners(storage)
      const of = await addCase(storage, ours)
      const record = await sendReport(storage, of, 1, 'a')
      expect(await storage.reads.reports.find('ours', 1)).toEqual(record)
      expect(await storage.reads.reports.ofCase('ours', of.id)).toEqual([record])
      expect(await storage.reads.reports.ofEvent('ours', 'evt_a')).toEqual(record)
      expect(await storage.reads.reports.find('ours', 2)).toBeNull()
      expect(await storage.reads.reports.ofEvent('ours', 'evt_b')).toBeNull()
      expect(await storage.reads.reports.find('theirs', 1)).toBeNull()
      expect(await storage.reads.reports.ofCase('theirs', of.id)).toEqual([])
      expect(await storage.reads.reports.ofEvent('theirs', 'evt_a')).toBeNull()
    })

    it('a case has its reports, oldest first', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const [first, second] = [await addCase(storage, owner), await addCase(storage, owner)]
      await storage.transaction(async (tx) => {
        for (const [of, sequence] of [
          [first, 1],
          [second, 2],
          [first, 3],
          [first, 10],
        ] as const)
          await tx.reports.add(report(of, sequence))
      })
      expect((await storage.reads.reports.ofCase('ours', first.id)).map(({ sequence }) => sequence)).toEqual([1, 3, 10])
    })

    it('an update replaces the record that was locked', async (storage) => {
      const of = await addCase(storage, await addOwner(storage, 'ours'))
      await storage.transaction((tx) => tx.reports.add(report(of, 1)))
      await storage.transaction(async (tx) => {
        const found = present(await tx.reports.lock('ours', 1))
        await tx.reports.update({ ...found, statut: 'envoye', canal: 'email', pdf: digest(1) })
        expect(await tx.reports.lock('ours', 2)).toBeNull()
      })
      expect(await storage.reads.reports.find('ours', 1)).toMatchObject({
        statut: 'envoye',
        canal: 'email',
        pdf: digest(1),
      })
    })

    it('undrawn reports are found, oldest first, up to a limit; drawn or erased ones are not', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const of = await addCase(storage, owner)
      const others = await addCase(storage, await addOwner(storage, 'theirs'))
      await storage.transaction(async (tx) => {
        await tx.reports.add(report(of, 3))
        await tx.reports.add(report(of, 4, { pdf: digest(4) }))
        await tx.reports.add(report(of, 5, { erased_at: instant(9) }))
        await tx.reports.add(report(others, 1))
      })
      const undrawn = async (limit: number, passedOver: string[] = []) =>
        (await storage.reads.reports.undrawn(limit, passedOver)).map(({ account_id, sequence }) => [
          account_id,
          sequence,
        ])
      expect(await undrawn(10)).toEqual([
        ['theirs', 1],
        ['ours', 3],
      ])
      expect(await undrawn(1)).toEqual([['theirs', 1]])
      expect(await undrawn(1, ['theirs', 'nobody'])).toEqual([['ours', 3]])
      expect(await undrawn(10, ['ours', 'theirs'])).toEqual([])
    })

    it('failed reports are found, newest first, without erased ones', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const of = await addCase(storage, owner)
      const others = await addCase(storage, await addOwner(storage, 'theirs'))
      await storage.transaction(async (tx) => {
        for (const [sequence, fields] of [
          [1, { statut: 'echec' }],
          [2, { statut: 'envoye' }],
          [3, { statut: 'echec', erased_at: instant(9) }],
          [4, { statut: 'echec' }],
        ] as const)
          await tx.reports.add(report(of, sequence, fields))
        await tx.reports.add(report(others, 1, { statut: 'echec' }))
      })
      const failed = async (limit: number) =>
        (await storage.reads.reports.failed('ours', limit)).map(({ sequence }) => sequence)
      expect([await failed(9), await failed(1)]).toEqual([[4, 1], [4]])
    })

    it('a queued report is found once a delivery succeeded or none is pending', async (storage) => {
      const of = await addCase(storage, await addOwner(storage, 'ours'))
      const unsettled = async () => (await storage.reads.reports.unsettled(10)).map(({ sequence }) => sequence)
      for (const [sequence, name] of [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ] as const)
        await sendReport(storage, of, sequence, name)
      expect(await unsettled()).toEqual([])

      const byEmail = { target: 'email', channel: 'email', at: 10, limit: 1 } as const
      await storage.queue.record([outcome(await claimOne(storage, byEmail), delivered)])
      await storage.queue.record([outcome(await claimOne(storage, byEmail), failed)])
      expect(await unsettled()).toEqual([1, 2])
      await storage.transaction(async (tx) => {
        await tx.reports.update({ ...present(await tx.reports.lock('ours', 1)), statut: 'envoye' })
      })
      expect(await unsettled()).toEqual([2])
    })

    it('the deliveries of an event are found', async (storage) => {
      const of = await addCase(storage, await addOwner(storage, 'ours'))
      await sendReport(storage, of, 1, 'a')
      await sendReport(storage, of, 2, 'b')
      const [found] = await storage.reads.deliveries.ofEvent('ours', 'evt_a')
      expect(found).toEqual(await storage.reads.deliveries.find('ours', 'dlv_a'))
      expect(await storage.reads.deliveries.ofEvent('ours', 'evt_a')).toHaveLength(1)
      expect(await storage.reads.deliveries.ofEvent('theirs', 'evt_a')).toEqual([])
      expect(await storage.reads.deliveries.ofEvent('ours', 'evt_c')).toEqual([])
    })

    it('the answers of receivers can be deleted, for one event', async (storage) => {
      const of = await addCase(storage, await addOwner(storage, 'ours'))
      await addEndpoint(storage, 'ours', 'wh_1')
      for (const [sequence, name] of [
        [1, 'a'],
        [2, 'b'],
      ] as const) {
        await sendReport(storage, of, sequence, name)
        const claimed = await claimOne(storage, { target: 'email', channel: 'email', at: 10 })
        const { attempt, ...made } = outcome(claimed, failed)
        const answered = { response: 'zoe@martin.example unknown', response_headers: { to: 'zoe' }, error: 'zoe' }
        await storage.queue.record([{ ...made, attempt: { ...attempt, ...answered } }])
      }
      await ended(storage.transaction((tx) => tx.deliveries.forgetResponses('theirs', 'evt_a')))
      expect((await storage.reads.deliveries.attempts('ours', 'dlv_a'))[0]?.error).toBe('zoe')
      await storage.transaction((tx) => tx.deliveries.forgetResponses('ours', 'evt_a'))
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toEqual([
        expect.objectContaining({ n: 1, status: 500, error: null, response: null, response_headers: null }),
      ])
      expect((await storage.reads.deliveries.find('ours', 'dlv_a'))?.last_error).toBeNull()
      expect((await storage.reads.deliveries.attempts('ours', 'dlv_b'))[0]?.error).toBe('zoe')
    })
  })

  describe('time stamps of the chain', () => {
    it('the newest is found, and the oldest that covers an entry', async (storage) => {
      const of = await addCase(storage, await addOwner(storage, 'ours'))
      const token = Uint8Array.of(48, 130, 0, 255)
      const stamp = (sequence: number) => {
        return { account_id: 'ours', sequence, hash_entree: digest(sequence), date: instant(sequence), token }
      }
      expect(await storage.reads.evidence.latestStamp('ours')).toBeNull()
      await storage.transaction(async (tx) => {
        for (const sequence of [1, 2, 3, 4]) await tx.evidence.append(evidence(of, sequence), `{"n":${sequence}}`)
        await tx.evidence.addStamp(stamp(2))
        await tx.evidence.addStamp(stamp(4))
      })
      const latest = await storage.reads.evidence.latestStamp('ours')
      expect({ ...latest, token: [...(latest?.token ?? [])] }).toEqual({ ...stamp(4), token: [...token] })
      expect((await storage.reads.evidence.stampOf('ours', 1))?.sequence).toBe(2)
      expect((await storage.reads.evidence.stampOf('ours', 2))?.sequence).toBe(2)
      expect((await storage.reads.evidence.stampOf('ours', 3))?.sequence).toBe(4)
      expect(await storage.reads.evidence.stampOf('ours', 5)).toBeNull()
      expect(await storage.reads.evidence.latestStamp('theirs')).toBeNull()
    })
  })
}
