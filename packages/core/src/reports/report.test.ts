import { expect, it } from 'vitest'
import { UnavailableError } from '../errors.js'
import { drawnForCaller } from './report.js'

it('a closed renderer asks the caller to retry, and any other error passes unchanged', async () => {
  const closed = drawnForCaller(Promise.reject(new DOMException('the renderer is closed', 'AbortError')))
  await expect(closed).rejects.toMatchObject({ constructor: UnavailableError, retryAfterSeconds: 1 })
  const fault = new Error('it took too long')
  await expect(drawnForCaller(Promise.reject(fault))).rejects.toBe(fault)
  expect(await drawnForCaller(Promise.resolve(7))).toBe(7)
})
