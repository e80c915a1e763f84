import type { Storage } from '@sav/core/ports'
import { instant } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** Records that a process is alive at `at`, and counts those that were in the 10 ms before. */
const noteAlive = (storage: Storage, id: string, at: number) =>
  storage.transaction((tx) => tx.processes.noteAlive({ id, at: instant(at) }, instant(at - 10)))

export function processContract({ describe, it, expect }: Suite): void {
  describe('processes', () => {
    it('a single process has no others, also when it repeats its record', async (storage) => {
      expect(await noteAlive(storage, 'a', 0)).toBe(0)
      expect(await noteAlive(storage, 'a', 1)).toBe(0)
    })

    it('each of several processes counts all the others', async (storage) => {
      await noteAlive(storage, 'a', 0)
      expect(await noteAlive(storage, 'b', 1)).toBe(1)
      expect(await noteAlive(storage, 'a', 2)).toBe(1)
      expect(await noteAlive(storage, 'c', 3)).toBe(2)
      expect(await noteAlive(storage, 'b', 4)).toBe(2)
    })

    it('a process last recorded before the bound is forgotten', async (storage) => {
      await noteAlive(storage, 'a', 0)
      await noteAlive(storage, 'b', 1)
      expect(await noteAlive(storage, 'c', 11)).toBe(1)
      const others = await storage.transaction((tx) => tx.processes.noteAlive({ id: 'd', at: instant(11) }, instant(0)))
      expect(others).toBe(2)
    })

    it('a forgotten process counts again once it is recorded', async (storage) => {
      await noteAlive(storage, 'a', 0)
      await noteAlive(storage, 'b', 11)
      expect(await noteAlive(storage, 'a', 12)).toBe(1)
      expect(await noteAlive(storage, 'b', 13)).toBe(1)
    })

    it('10 processes recorded at once all count', async (storage) => {
      const ids = Array.from({ length: 10 }, (_, n) => `p${n}`)
      await Promise.all(ids.map((id) => noteAlive(storage, id, 0)))
      expect(await noteAlive(storage, 'p0', 1)).toBe(9)
    })

    it('the time is that of the caller, or of a clock within a second of this machine’s', async (storage) => {
      const said = 1_768_473_000_123
      const now = await storage.transaction((tx) => tx.processes.now(said))
      expect(Number.isInteger(now)).toBe(true)
      if (now !== said) expect(Math.abs(now - Date.now())).toBeLessThan(1000)
    })
  })
}
