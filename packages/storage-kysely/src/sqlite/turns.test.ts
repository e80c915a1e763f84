import { expect, it, onTestFinished } from 'vitest'
import { newFile, openMigrated } from '../../test/files.js'

/** How long a blocked turn lasts. It is longer than the turn after which a read waits for others. */
const longTurnMs = 20

/** Blocks the event loop as a long computation does. */
function holdTheTurn(): void {
  const end = performance.now() + longTurnMs
  while (performance.now() < end);
}

it('a read at the end of a long turn lets other work run first, unless it is in a transaction', async () => {
  const storage = await openMigrated(newFile())
  onTestFinished(() => storage.close())
  const order: string[] = []
  const others = () => setImmediate(() => order.push('others'))
  const read = async ({ accounts }: typeof storage.reads) => {
    await accounts.find('ours')
    order.push('read')
  }

  await read(storage.reads)
  holdTheTurn()
  others()
  await Promise.all([read(storage.reads), read(storage.reads)])
  expect(order).toEqual(['read', 'others', 'read', 'read'])

  order.length = 0
  await storage.transaction(async (tx) => {
    await read(tx)
    holdTheTurn()
    others()
    await read(tx)
  })
  expect(order.slice(0, 2)).toEqual(['read', 'read'])
})
