import type { Storage } from '@sav/core/ports'
import { ended, instant } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** Records that a process is alive at `at`, and counts those that were in the 10 ms before. */
const noteAlive = (storage: Storage, id: string, at: number) =>
  storage.transaction((tx) => tx.processes.noteAlive({ id, at: instant(at) }, instant(at - 10)))

export function processContract({ describe, it, expect }: Suite): void {
  describe('processes', () => {
    it('one that is alone has no others, however often it says so', async (storage) => {
      expect(await noteAlive(storage, 'a', 0)).toBe(0)
      expect(await noteAlive(storage, 'a', 1)).toBe(0)
    })

    it('each counts all the others', async (storage) => {
      await noteAlive(storage, 'a', 0)
      expect(await noteAlive(storage, 'b', 1)).toBe(1)
      expect(await noteAlive(storage, 'a', 2)).toBe(1)
      expect(await noteAlive(storage, 'c', 3)).toBe(2)
      expect(await noteAlive(storage, 'b', 4)).toBe(2)
    })

    it('a process that was not alive since the bound is forgotten, one at the bound is not', async (storage) => {
      await noteAlive(storage, 'a', 0)
      await noteAlive(storage, 'b', 1)
      expect(await noteAlive(storage, 'c', 11)).toBe(1)
      const others = await storage.transaction((tx) => tx.processes.noteAlive({ id: 'd', at: instant(11) }, instant(0)))
      expect(others).toBe(2)
    })

    it('who was forgotten and is alive again counts again', async (storage) => {
      await noteAlive(storage, 'a', 0)
      await noteAlive(storage, 'b', 11)
      expect(await noteAlive(storage, 'a', 12)).toBe(1)
      expect(await noteAlive(storage, 'b', 13)).toBe(1)
    })

    it('10 that come at once are all there afterwards', async (storage) => {
      const ids = Array.from({ length: 10 }, (_, n) => `p${n}`)
      await Promise.all(ids.map((id) => noteAlive(storage, id, 0)))
      expect(await noteAlive(storage, 'p0', 1)).toBe(9)
    })

    it('a process from a failed transaction is not counted', async (storage) => {
      await ended(
        storage.transaction(async (tx) => {
          await tx.processes.noteAlive({ id: 'a', at: instant(0) }, instant(0))
          throw new Error('changed our mind')
        }),
      )
      expect(await noteAlive(storage, 'b', 1)).toBe(0)
    })

    it('the time is this machine’s, give or take a second, or the caller’s', async (storage) => {
      const said = 1_768_473_000_123
      const now = await storage.transaction((tx) => tx.processes.now(said))
      expect(Number.isInteger(now)).toBe(true)
      if (now !== said) expect(Math.abs(now - Date.now())).toBeLessThan(1000)
    })
  })
}
