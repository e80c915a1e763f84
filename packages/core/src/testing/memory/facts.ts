import type { FactWrites } from '../../fact-store.js'
import type { Tables } from './tables.js'

export function memoryFacts(tables: Tables): FactWrites {
  const facts = tables.own<string, string>('facts')
  return {
    get: async (name) => facts.get(name) ?? null,
    async set(name, value) {
      facts.put(name, value)
    },
  }
}
