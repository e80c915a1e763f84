import { expect, it, vi } from 'vitest'

// Commands load both modules. A schema built while loading took 15 ms of each start.
it('loading the core and the routes builds no schema', async () => {
  vi.resetModules()
  const defined = vi.spyOn(Object, 'defineProperty')
  const built = () => defined.mock.calls.filter(([, name]) => name === '_zod').length
  const [{ parse }, z] = await Promise.all([import('@sav/core/adapter'), import('zod')])
  await Promise.all([import('@sav/core'), import('../src/routes/all.js'), import('../src/local.js')])
  expect(built()).toBe(0)
  parse(() => z.strictObject({}), {})
  expect(built()).toBeGreaterThan(0)
})
