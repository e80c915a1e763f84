import type { SeenEvents } from './receive.js'

/**
 * What a receiver relies on of a store of seen events, for the tests of one of your own, in any test runner. Its ids are
 * left in the store.
 *
 * @param open gives the same store each time, as another process would open it.
 * @throws {Error} that names the promise that is not kept.
 */
export async function checkSeenEvents(open: () => SeenEvents | Promise<SeenEvents>): Promise<void> {
  const store = await open()
  // As long as an id may get, and with what SQL and file names could trip over.
  const ids = [`evt_${crypto.randomUUID()}`, `evt_${crypto.randomUUID()}'"%_\\;--é`, `evt_${'x'.repeat(251)}`]
  for (const id of ids) {
    if (await store.has(id)) throw new Error(`has('${id}') is true before it was added`)
    await store.add(id)
    if (!(await store.has(id))) throw new Error(`has('${id}') is false after it was added`)
    if (await store.has(id.toUpperCase())) throw new Error('ids that differ in their case are taken for one')
    await store.add(id)
  }
  const again = await open()
  await Promise.all([again.add(`${ids[0]}-2`), store.add(`${ids[0]}-2`)])
  for (const id of [...ids, `${ids[0]}-2`]) {
    if (!(await again.has(id))) throw new Error(`opened again, the store has forgotten '${id}'`)
  }
}
