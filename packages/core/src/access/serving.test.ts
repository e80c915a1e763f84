import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { fixedClock } from '../testing/index.js'
import { toInstant } from '../time/time.js'
import { createServing } from './serving.js'

describe('a process that serves', () => {
  it('stores its notes of keys and calls when it stops', async () => {
    const { sav, storage, clock } = await openSav()
    const { key, id } = await sav.keys.create(as('default'), { nom: 'site', permissions: ['sav:read'] })
    await sav.serving.start()
    const caller = await sav.inTransaction({ ...storage }).keys.authenticate(key, '203.0.113.9')
    expect(caller).toMatchObject({ id, last_used_at: null })
    sav.audit.note({
      account_id: 'default',
      time: clock.now(),
      ip: '203.0.113.9',
      method: 'GET',
      endpoint: '/api/v1/sav',
      key_id: id,
      user_id: null,
      target: null,
      status: 200,
      duration_ms: 1,
      request_id: 'r1',
    })
    await sav.serving.stop()
    expect(await sav.keys.list('default')).toMatchObject([{ id, last_used_at: toInstant(clock.now()) }])
    expect((await sav.audit.list('default', {})).items).toMatchObject([{ key_id: id, request_id: 'r1' }])
  })

  it('does each of its rounds once a second, whatever fails, until it is stopped', async () => {
    const clock = fixedClock()
    const done: string[] = []
    const failing = (name: string) => async () => {
      done.push(name)
      throw new Error(`${name} failed`)
    }
    const faults: unknown[] = []
    const serving = createServing({
      clock,
      heartbeat: { beat: failing('heartbeat'), end: failing('end of the heartbeat') },
      audit: { flush: failing('audit'), finish: failing('audit') },
      uses: [{ flush: failing('key use') }],
      fault: (error) => faults.push(error),
    })
    await serving.start()
    expect(done).toEqual(['heartbeat'])
    await clock.advance(60_000)
    expect(done.filter((name) => name === 'heartbeat')).toHaveLength(61)
    expect(done.filter((name) => name === 'audit')).toHaveLength(60)
    expect(done.filter((name) => name === 'key use')).toHaveLength(1)
    expect(faults).toHaveLength(done.length)
    await serving.stop()
    expect(done.slice(-3)).toEqual(['audit', 'key use', 'end of the heartbeat'])
    const { length } = done
    await clock.advance(60_000)
    expect(done).toHaveLength(length)
  })
})
