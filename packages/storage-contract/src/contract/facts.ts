import type { Suite } from './suite.js'

export function factContract({ describe, it, expect }: Suite): void {
  describe('facts', () => {
    it('are null until they are set, and have their last value', async (storage) => {
      expect(await storage.reads.facts.get('colour')).toBeNull()
      for (const value of ['blue', 'dark blue, "quoted" & é'])
        await storage.transaction((tx) => tx.facts.set('colour', value))
      expect(await storage.reads.facts.get('colour')).toBe('dark blue, "quoted" & é')
      expect(await storage.reads.facts.get('Colour')).toBeNull()
    })

    it('are read back in the transaction that sets them, and gone with it when it fails', async (storage) => {
      const refusal = new Error('changed our mind')
      const setting = storage.transaction(async (tx) => {
        await tx.facts.set('colour', 'red')
        expect(await tx.facts.get('colour')).toBe('red')
        throw refusal
      })
      await expect(setting).rejects.toBe(refusal)
      expect(await storage.reads.facts.get('colour')).toBeNull()
    })
  })
}
