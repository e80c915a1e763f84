import { describe, expect, it } from 'vitest'
import { fact, visit } from '../../test/terrain/samples.js'
import { type Answer, after } from './answers.js'
import { emptyOutbox, type Outbox, unsentCount } from './item.js'
import { begun, bytesOf, freshFile, hurried, nextStep, queued, removed, retried, withoutOld } from './outbox.js'
import { partBytes, partOf, requestOf } from './requests.js'

const now = 1_000_000
const photo = freshFile({ sha256: 'a'.repeat(64), type: 'image/jpeg', size: 600_000 })
const other = freshFile({ sha256: 'b'.repeat(64), type: 'image/jpeg', size: 5_000 })

const answer = (status: number, body: unknown = null, more: Partial<Extract<Answer, { is: 'answer' }>> = {}) =>
  ({ is: 'answer', status, body, received: null, retryAfterMs: null, ...more }) as const
const done = (id: number, version = 2, constat: unknown = null) =>
  answer(200, { success: true, data: { ...visit(id), version, constat } })
const lost = { is: 'lost' } as const

/** Takes the next step, with this answer. */
function stepped(outbox: Outbox, came: Answer, at = now) {
  const step = nextStep(outbox, at)
  if (step.is !== 'file' && step.is !== 'write') throw new Error(`nothing to do: ${step.is}`)
  const kept = begun(outbox, step)
  return { step, ...after(kept, step, came, at) }
}

const debut = fact('k1', 1, { operation: 'debut', body: {} })
const intervention = fact(
  'k2',
  1,
  { operation: 'intervention', body: { resultat: 'resolu', photos: [{ sha256: photo.sha256, moment: 'avant' }] } },
  [photo.sha256, other.sha256],
)
const late = fact('k3', 2, { operation: 'retard', body: { minutes: 30 } })
const whole = [debut, intervention].reduce((outbox, told) => queued(outbox, told, [photo, other]), emptyOutbox)

describe('the next item', () => {
  it('is the oldest report, after its files', () => {
    const first = stepped(whole, done(1))
    expect(first.step).toMatchObject({ is: 'write', item: { id: 'k1' } })
    const second = stepped(first.outbox, answer(201))
    expect(second.step).toMatchObject({ is: 'file', file: { sha256: photo.sha256 } })
    const third = stepped(second.outbox, answer(200))
    expect(third.step).toMatchObject({ is: 'file', file: { sha256: other.sha256 } })
    expect(nextStep(third.outbox, now)).toMatchObject({ is: 'write', item: { id: 'k2' } })
  })

  it('belongs to another visit while one visit has to wait, and is never sent early', () => {
    const { outbox } = stepped(queued(whole, late), lost)
    expect(nextStep(outbox, now)).toMatchObject({ is: 'write', item: { id: 'k3' } })
    const alone = stepped(whole, lost).outbox
    expect(nextStep(alone, now + 1_999)).toEqual({ is: 'wait', until: now + 2_000 })
    expect(nextStep(alone, now + 2_000)).toMatchObject({ is: 'write', item: { id: 'k1' } })
    expect(nextStep(hurried(alone), now)).toMatchObject({ is: 'write', item: { id: 'k1' } })
    expect(nextStep(emptyOutbox, now)).toEqual({ is: 'done' })
  })

  it('waits longer after each attempt, up to 5 minutes, or as long as the service asks', () => {
    let outbox = whole
    let at = now
    const waits: number[] = []
    for (let attempt = 0; attempt < 10; attempt += 1) {
      outbox = stepped(outbox, lost, at).outbox
      const step = nextStep(outbox, at)
      if (step.is !== 'wait') throw new Error('due at once')
      waits.push((step.until - at) / 1000)
      at = step.until
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    const asked = stepped(whole, answer(429, null, { retryAfterMs: 7_000 })).outbox
    expect(nextStep(asked, now)).toEqual({ is: 'wait', until: now + 7_000 })
  })
})

describe('a file', () => {
  it('is sent in parts, and its progress is requested after a lost answer', () => {
    const begins = partOf(photo)
    expect(begins).toMatchObject({ contentRange: `bytes 0-${partBytes - 1}/600000`, from: 0, to: partBytes })
    const first = stepped(stepped(whole, done(1)).outbox, answer(308, null, { received: partBytes })).outbox
    expect(partOf(first.files[0] ?? photo)).toMatchObject({ from: partBytes, to: 2 * partBytes })
    const cut = stepped(first, lost).outbox
    expect(partOf(cut.files[0] ?? photo)).toMatchObject({ contentRange: 'bytes */600000', from: 0, to: 0 })
    const told = stepped(hurried(cut), answer(308, null, { received: 2 * partBytes })).outbox
    expect(partOf(told.files[0] ?? photo)).toMatchObject({ from: 2 * partBytes, to: 600_000 })
    expect(bytesOf(told, told.items[1] ?? expect.fail())).toEqual({ all: 605_000, sent: 2 * partBytes })
    expect(partOf(other)).toMatchObject({ contentRange: null, from: 0, to: 5_000 })
  })

  it('that arrived damaged is sent again from its first byte, at most twice', () => {
    const spoilt = answer(400, {
      error: 'no',
      details: [{ field: 'sha256', code: 'content_hashes_otherwise', message: 'no' }],
    })
    let { outbox } = stepped(whole, done(1))
    for (let round = 0; round < 2; round += 1) outbox = stepped(outbox, spoilt).outbox
    expect(outbox.items[1]?.state).toMatchObject({ is: 'waiting' })
    outbox = stepped(outbox, spoilt).outbox
    expect(outbox.items[1]?.state).toMatchObject({ is: 'refused', refusal: { code: 'content_hashes_otherwise' } })
  })

  it('that the service lacks is sent again before the write, without the other files', () => {
    let { outbox } = stepped(whole, done(1))
    for (let file = 0; file < 2; file += 1) outbox = stepped(outbox, answer(201)).outbox
    const missing = answer(409, { code: 'file_missing', params: { hashes: other.sha256 } })
    outbox = stepped(outbox, missing).outbox
    expect(nextStep(outbox, now)).toMatchObject({ is: 'file', file: { sha256: other.sha256, sent: 0 } })
    outbox = stepped(outbox, answer(201)).outbox
    expect(stepped(outbox, done(1, 3)).outbox).toMatchObject({ files: [], items: [{}, { state: { is: 'received' } }] })
  })

  it('that makes progress resets the delay between attempts', () => {
    let { outbox } = stepped(whole, done(1))
    for (const received of [200_000, 400_000, 500_000]) outbox = stepped(outbox, answer(308, null, { received })).outbox
    expect(nextStep(stepped(outbox, lost).outbox, now)).toEqual({ is: 'wait', until: now + 4_000 })
  })

  it('that the service keeps lacking is sent again only after a pause', () => {
    const missing = answer(409, { code: 'file_missing', params: { hashes: other.sha256 } })
    let outbox = [done(1), answer(201), answer(201), missing, answer(201)].reduce<Outbox>(
      (before, came) => stepped(before, came).outbox,
      whole,
    )
    outbox = stepped(outbox, missing).outbox
    expect(nextStep(outbox, now)).toEqual({ is: 'wait', until: now + 30_000 })
  })

  it('stays on the phone until every write that needs it is acknowledged', () => {
    const again = fact('k9', 2, { operation: 'intervention', body: { resultat: 'partiel', photos: [] } }, [
      other.sha256,
    ])
    let outbox = queued(whole, again, [other])
    expect(outbox.files).toHaveLength(2)
    for (const came of [done(1), answer(201), answer(201), done(1, 3)]) outbox = stepped(outbox, came).outbox
    expect(outbox.files.map(({ sha256 }) => sha256)).toEqual([other.sha256])
    expect(stepped(outbox, done(2)).outbox.files).toEqual([])
  })

  it('that is no longer on the phone stops the write that needs it, with a message', () => {
    const { outbox } = stepped(stepped(whole, done(1)).outbox, { is: 'gone' })
    expect(outbox.items[1]?.state).toMatchObject({ is: 'refused', refusal: { code: 'file_gone' } })
    expect(unsentCount(outbox)).toBe(1)
  })
})

describe('an answer', () => {
  it('reports the changes by the office, and the current visit', () => {
    const constat = { codes: ['rdv_deplace'], rdv: null, description: null, alternatives: [], souhait: null }
    const { outbox, rdv } = stepped(whole, done(1, 5, constat))
    expect(outbox.items[0]?.state).toEqual({ is: 'received', at: now, constat })
    expect(rdv).toMatchObject({ id: 1, version: 5 })
    // The next report keeps its old version, so that the changes by the office are reported for it too.
    expect(outbox.items[1]?.version).toBe(1)
  })

  it('gives later reports on the visit its new version', () => {
    const { outbox } = stepped(whole, done(1, 2))
    expect(outbox.items[1]?.version).toBe(2)
    expect(requestOf(outbox.items[1] ?? expect.fail())).toMatchObject({
      path: '/api/v1/planning/1/intervention',
      body: { version: 2, survenu_a: '2026-03-16T08:00:00.000Z', resultat: 'resolu' },
    })
  })

  it.each([
    [401, null, 'signed-out'],
    [401, { code: 'device_ended' }, 'ended'],
  ] as const)('with status %i and body %j changes nothing in the outbox: %s', (status, body, outcome) => {
    const told = stepped(whole, answer(status, body))
    expect(told.outcome).toBe(outcome)
    expect(unsentCount(told.outbox)).toBe(2)
    expect(nextStep(told.outbox, now)).toMatchObject({ item: { id: 'k1' } })
  })

  it.each([500, 503, 408, 425, 429])('with status %i makes the phone repeat the same call', (status) => {
    expect(stepped(whole, answer(status)).outbox.items[0]?.state).toMatchObject({ is: 'waiting', because: 'busy' })
  })

  it('that the same request is still in progress makes the phone repeat it', () => {
    const { outbox } = stepped(whole, answer(409, { code: 'idempotency_in_progress' }))
    expect(outbox.items[0]?.state).toMatchObject({ is: 'waiting' })
  })

  it('that refuses a report leaves it on the phone, and does not delay later ones', () => {
    const body = {
      error: 'Validation failed',
      details: [{ field: 'minutes', code: 'too_large', params: { max: 480 }, message: 'no' }],
    }
    const { outbox } = stepped(whole, answer(400, body))
    expect(outbox.items[0]?.state).toMatchObject({
      is: 'refused',
      refusal: { code: 'too_large', params: { max: 480 } },
    })
    expect(unsentCount(outbox)).toBe(2)
    expect(nextStep(outbox, now)).toMatchObject({ item: { id: 'k2' } })
    expect(nextStep(retried(outbox, 'k1'), now)).toMatchObject({ item: { id: 'k1' } })
  })

  it.each([
    ['client_erased', { id: 101 }],
    ['answer_erased', {}],
  ])('that the client was erased (%s) removes the content of the report', (code, params) => {
    const told = stepped(stepped(whole, done(1)).outbox, answer(409, { code, params }))
    expect(told.erasedRdv).toBe(1)
    expect(told.outbox.files).toEqual([])
    expect(told.outbox.items[0]).toMatchObject({ operation: 'debut', title: '' })
    expect(told.outbox.items[1]).toMatchObject({ title: '', files: [], body: { resultat: 'resolu', photos: [] } })
  })

  it('that the client was erased also removes earlier reports’ content, and the office’s answers', () => {
    const description = { signee: 'La porte racle.', actuelle: 'Le tiroir aussi.' }
    const constat = { codes: ['description_changee'], rdv: null, description, alternatives: [], souhait: null }
    const absent = fact('k4', 1, { operation: 'absent', body: { compte_rendu: 'Personne.' } })
    const before = stepped(queued(emptyOutbox, absent), done(1, 2, constat)).outbox
    const { outbox } = stepped(queued(before, debut), answer(409, { code: 'client_erased' }))
    expect(outbox.items[0]).toMatchObject({ title: '', body: {}, state: { is: 'received', constat: null } })
    expect(JSON.stringify(outbox)).not.toMatch(/racle|tiroir|Personne/)
  })
})

describe('items that are removed', () => {
  it('are those that the service cannot have received, or has answered', () => {
    expect(removed(whole, 'k2')).toMatchObject({ items: [{ id: 'k1' }], files: [] })
    const { outbox } = stepped(whole, lost)
    expect(removed(outbox, 'k1').items).toHaveLength(2)
    const received = stepped(whole, done(1)).outbox
    expect(removed(received, 'k1').items).toHaveLength(1)
  })

  it('include received ones after a day, unless the office had changed something', () => {
    const constat = { codes: ['rdv_annule'], rdv: null, description: null, alternatives: [], souhait: null }
    const day = 24 * 3_600_000
    const { outbox } = stepped(whole, done(1))
    expect(withoutOld(outbox, now + day - 1).items).toHaveLength(2)
    expect(withoutOld(outbox, now + day).items).toHaveLength(1)
    expect(withoutOld(stepped(whole, done(1, 2, constat)).outbox, now + day).items).toHaveLength(2)
  })
})
