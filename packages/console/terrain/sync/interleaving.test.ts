import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fact, visit } from '../../test/terrain/samples.js'
import { type Answer, after } from './answers.js'
import { emptyOutbox, type NewItem, type Outbox } from './item.js'
import { begun, freshFile, hurried, nextStep, queued } from './outbox.js'
import { type PartRequest, partOf, requestOf } from './requests.js'

/**
 * A model of the contract: a write with the same key is done once, and a file exists once its last byte has arrived.
 */
class Service {
  readonly recorded: { readonly key: string; readonly rdv_id: number }[] = []
  readonly answers = new Map<string, { readonly sent: string; readonly answer: Answer }>()
  readonly files = new Map<string, number>()

  put(sha256: string, size: number, part: PartRequest): Answer {
    const has = this.files.get(sha256) ?? 0
    if (has === size) return answerOf(200)
    if (part.to > has && part.from <= has) this.files.set(sha256, part.to)
    const now = this.files.get(sha256) ?? 0
    return now === size ? answerOf(201) : answerOf(308, null, now)
  }

  write(
    key: string,
    item: { rdv_id: number; files: readonly string[] },
    sizes: ReadonlyMap<string, number>,
    sent: string,
  ): Answer {
    const before = this.answers.get(key)
    if (before !== undefined) {
      expect(sent).toBe(before.sent)
      return before.answer
    }
    const missing = item.files.filter((sha256) => this.files.get(sha256) !== sizes.get(sha256))
    if (missing.length > 0) return answerOf(409, { code: 'file_missing', params: { hashes: missing.join(', ') } })
    this.recorded.push({ key, rdv_id: item.rdv_id })
    const version = 1 + this.recorded.filter(({ rdv_id }) => rdv_id === item.rdv_id).length
    const answer = answerOf(200, { data: { ...visit(item.rdv_id), version, constat: null } })
    this.answers.set(key, { sent, answer })
    return answer
  }
}

const answerOf = (status: number, body: unknown = null, received: number | null = null): Answer => ({
  is: 'answer',
  status,
  body,
  received,
  retryAfterMs: null,
})

type Event =
  | 'fact'
  | 'arrives'
  | 'answer lost'
  | 'request lost'
  | 'busy'
  | 'killed before'
  | 'killed after'
  | 'file forgotten'
const events: Event[] = [
  'fact',
  'arrives',
  'arrives',
  'answer lost',
  'request lost',
  'busy',
  'killed before',
  'killed after',
  'file forgotten',
]

const sizes = [3_000, 200_000, 300_000, 900_000]
const facts = fc.array(fc.record({ rdv: fc.integer({ min: 1, max: 3 }), files: fc.subarray([0, 1, 2, 3]) }), {
  minLength: 1,
  maxLength: 6,
})
const hashOf = (index: number) => String(index).repeat(64)
const sizeOf = new Map(sizes.map((size, index) => [hashOf(index), size]))

it('each report is sent once, after its files and in the order of its visit, whichever calls are lost', () => {
  fc.assert(
    fc.property(facts, fc.array(fc.constantFrom(...events), { maxLength: 60 }), (told, happening) => {
      const service = new Service()
      const waiting: NewItem[] = told.map(({ rdv, files }, index) =>
        fact(`k${index}`, rdv, { operation: 'absent', body: {} }, files.map(hashOf)),
      )
      const order = waiting.map(({ id, rdv_id }) => ({ key: id, rdv_id }))
      // Only stored data survives a restart.
      let kept: Outbox = emptyOutbox
      let now = 0
      const happens = (event: Event) => {
        if (event === 'fact') {
          const next = waiting.shift()
          const brought = (next?.files ?? []).map((sha256) =>
            freshFile({ sha256, type: 'image/jpeg', size: sizeOf.get(sha256) ?? 0 }),
          )
          if (next !== undefined) kept = queued(kept, next, brought)
          return
        }
        if (event === 'file forgotten') return service.files.clear()
        now += 400_000
        const step = nextStep(kept, now)
        if (step.is !== 'file' && step.is !== 'write') return
        kept = begun(kept, step)
        if (event === 'killed before') return
        const comes = (came: Answer) => {
          kept = after(kept, step, came, now).outbox
        }
        if (event === 'request lost') return comes({ is: 'lost' })
        if (event === 'busy') return comes(answerOf(503))
        const answer =
          step.is === 'file'
            ? service.put(step.file.sha256, step.file.size, partOf(step.file))
            : service.write(step.item.id, step.item, sizeOf, JSON.stringify(requestOf(step.item)))
        if (event === 'killed after') return
        comes(event === 'answer lost' ? { is: 'lost' } : answer)
      }
      for (const event of happening) happens(event)
      while (waiting.length > 0) happens('fact')
      kept = hurried(kept)
      for (let round = 0; round < 200 && nextStep(kept, now + 400_000).is !== 'done'; round += 1) happens('arrives')

      for (const rdv of [1, 2, 3]) {
        const of = ({ rdv_id }: { rdv_id: number }) => rdv_id === rdv
        expect(service.recorded.filter(of)).toEqual(order.filter(of))
      }
      expect(kept.items.map(({ state }) => state.is)).toEqual(order.map(() => 'received'))
      expect(kept.files).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})
