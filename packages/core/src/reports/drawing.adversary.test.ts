import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { createDrawing } from './drawing.js'
import type { ReportRecord } from './report.js'

/**
 * A store in which accounts have closed these numbers of cases, in this order, and a `drawing` of their reports.
 * @param waitsFor how many snapshots are read before the first report is finished
 */
async function closed(closes: readonly (readonly [account_id: string, cases: number])[], waitsFor = 0) {
  const { sav, storage, clock, addAccount } = await openSav()
  const { evidence } = storage.reads
  const allRead = Promise.withResolvers<void>()
  let read = 0
  const snapshot: typeof evidence.snapshot = async (account_id, hash) => {
    const text = await evidence.snapshot(account_id, hash)
    read += 1
    if (read === waitsFor) allRead.resolve()
    return text
  }
  for (const [account_id, cases] of closes) {
    const { client, actor } = await addAccount(account_id)
    for (let n = 0; n < cases; n += 1) {
      const { id } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
      await sav.cases.close(as(account_id), id, { resolution: 'Charnière remplacée, porte réglée.' })
    }
  }
  const drawn: string[] = []
  let underWay = 0
  const drawing = createDrawing({
    storage: {
      ...storage,
      reads: { ...storage.reads, evidence: Object.assign(Object.create(evidence), { snapshot }) },
    },
    clock,
    checkUrl: () => null,
    recordDrawn: async () => {},
    renderer: {
      async render({ societe, preuve }) {
        underWay += 1
        expect(underWay).toBe(1)
        drawn.push(`${societe.account} ${preuve.sequence}`)
        if (waitsFor > 0) await allRead.promise
        await new Promise((resolve) => setImmediate(resolve))
        underWay -= 1
        if (societe.account === 'broken') throw new Error('it cannot be drawn')
        return new Uint8Array([preuve.sequence])
      },
    },
  })
  return { storage, drawing, drawn }
}

describe('an account with many reports to draw', () => {
  it('takes turns with others in the steps of the worker', async () => {
    const { drawing, drawn } = await closed([
      ['flood', 150],
      ['lyon', 2],
      ['nantes', 1],
    ])
    for (let n = 0; n < 7; n += 1) expect(await drawing.step()).toBe(true)
    expect(drawn).toEqual(['flood 1', 'lyon 1', 'nantes 1', 'flood 2', 'lyon 2', 'flood 3', 'flood 4'])
  })

  it('takes turns with others, also when reports are drawn on demand for letters', async () => {
    const closes = [
      ['flood', 20],
      ['lyon', 2],
    ] as const
    const { storage, drawing, drawn } = await closed(closes, 22)
    const records: ReportRecord[] = await storage.reads.reports.undrawn(30, [])
    await Promise.all(records.map((record) => drawing.pdfOf(record)))
    expect(drawn).toHaveLength(22)
    // Snapshots are decompressed in threads, so any report may be the first.
    expect(drawn.slice(0, 4).toSorted()).toEqual(
      [/flood/, /flood/, 'lyon 1', 'lyon 2'].map((each) => expect.stringMatching(each)),
    )
  })

  it('does not delay others with more failing reports than a step examines', async () => {
    const { drawing, drawn } = await closed([
      ['broken', 101],
      ['lyon', 1],
    ])
    for (let n = 0; n < 110; n += 1) await drawing.step().catch(() => {})
    expect(drawn.indexOf('lyon 1')).toBe(1)
    expect(drawn).toHaveLength(101)
    expect(await drawing.step()).toBe(false)
  })
})
