import { expect, it } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { createSav, type SavOptions } from './service.js'

it('the service warns if the channels of letters do not match the carriers', async () => {
  const storage = await memoryStorage()
  const renderer = Object({ render: async () => new Uint8Array() })
  const warned = ({ carriers = [], ...options }: Partial<SavOptions> & { readonly carriers?: readonly string[] }) => {
    const warnings: unknown[] = []
    const logger = {
      info() {},
      error() {},
      warn: (fields: object, message: string) => warnings.push([fields, message]),
    }
    const named = Object.fromEntries(carriers.map((name) => [name, Object({ carry: async () => ({}) })]))
    const reports = { renderer, carriers: named, checkUrl: () => null, timestamper: null }
    createSav({ storage, secretKey: new Uint8Array(32), logger, reports, ...options })
    return warnings
  }
  const waiting = expect.stringContaining('`reports.carriers` has no carrier')
  const idle = expect.stringContaining('`letters` does not name them')
  expect(warned({ letters: ['email'] })).toEqual([[{ channels: ['email'] }, waiting]])
  expect(warned({ letters: ['email'], sends: false })).toEqual([])
  expect(warned({ carriers: ['email'] })).toEqual([[{ channels: ['email'] }, idle]])
  expect(warned({ letters: ['email', 'sms'], carriers: ['email', 'fax'] })).toEqual([
    [{ channels: ['sms'] }, waiting],
    [{ channels: ['fax'] }, idle],
  ])
  expect(warned({ letters: ['email', 'sms'], carriers: ['email', 'sms'] })).toEqual([])
  expect(() => warned({ letters: ['webhook'] })).toThrow("'webhook' cannot name a channel of letters")
})
