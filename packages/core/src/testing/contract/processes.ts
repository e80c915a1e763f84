import type { Storage } from '../../storage.js'
import { instant } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** What a process hears that speaks at `at`, and counts on those who spoke in the 10 ms before. */
const exchange = async (storage: Storage, id: string, at: number, says = `${id} at ${at}`) =>
  (await storage.processes.exchange({ id, at: instant(at), says }, instant(at - 10))).toSorted()

export function processContract({ describe, it, expect }: Suite): void {
  describe('processes', () => {
    it('one that is alone hears nobody, not even itself', async (storage) => {
      expect(await exchange(storage, 'a', 0)).toEqual([])
      expect(await exchange(storage, 'a', 1)).toEqual([])
    })

    it('each hears what all the others said last', async (storage) => {
      await exchange(storage, 'a', 0)
      expect(await exchange(storage, 'b', 1)).toEqual(['a at 0'])
      expect(await exchange(storage, 'a', 2)).toEqual(['b at 1'])
      expect(await exchange(storage, 'c', 3)).toEqual(['a at 2', 'b at 1'])
      expect(await exchange(storage, 'b', 4)).toEqual(['a at 2', 'c at 3'])
    })

    it('what is said may be empty, long, and the same as what another says', async (storage) => {
      const long = 'é 🔧 "'.repeat(20_000)
      await exchange(storage, 'a', 0, '')
      await exchange(storage, 'b', 0, long)
      await exchange(storage, 'c', 0, long)
      expect(await exchange(storage, 'd', 0)).toEqual(['', long, long])
    })

    it('who said nothing since the bound is forgotten for good, who spoke at the bound is not', async (storage) => {
      await exchange(storage, 'a', 0)
      await exchange(storage, 'b', 1)
      expect(await exchange(storage, 'c', 11)).toEqual(['b at 1'])
      expect((await storage.processes.exchange({ id: 'd', at: instant(11), says: '' }, instant(0))).toSorted()).toEqual(
        ['b at 1', 'c at 11'],
      )
    })

    it('who was forgotten and speaks again is heard again', async (storage) => {
      await exchange(storage, 'a', 0)
      await exchange(storage, 'b', 11)
      expect(await exchange(storage, 'a', 12)).toEqual(['b at 11'])
      expect(await exchange(storage, 'b', 13)).toEqual(['a at 12'])
    })

    it('10 who speak at once are all there afterwards', async (storage) => {
      const ids = Array.from({ length: 10 }, (_, n) => `p${n}`)
      await Promise.all(ids.map((id) => exchange(storage, id, 0)))
      expect(await exchange(storage, 'p0', 1)).toEqual(ids.slice(1).map((id) => `${id} at 0`))
    })
  })
}
