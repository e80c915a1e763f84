import type { Suite } from './suite.js'

export function factContract({ describe, it, expect }: Suite): void {
  describe('facts', () => {
    it('are null until they are set, and keep their last value', async (storage) => {
      expect(await storage.reads.facts.get('colour')).toBeNull()
      for (const value of ['blue', 'dark blue, "quoted" & é'])
        await storage.transaction((tx) => tx.facts.set('colour', value))
      expect(await storage.reads.facts.get('colour')).toBe('dark blue, "quoted" & é')
      expect(await storage.reads.facts.get('Colour')).toBeNull()
    })
  })
}
