import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { memoryStorage } from '../../../test/memory-storage.js'
import { type Feature, refuseIncomplete } from './composition.js'
import { storeToken } from './store-token.js'
import { lazily } from './values/lazily.js'

const feature = (name: string, declared: Partial<Feature> = {}): Feature => ({
  name,
  ...declared,
  compose: () => ({ on: () => ({ useCases: {}, writes: {} }) }),
})

const emits = (kind: string) => ({ events: { [kind]: { data: lazily(() => z.object({})), example: {} } } })

describe('composing features', () => {
  it.each([
    ['one twice', [feature('tags'), feature('tags')], 'The feature tags is given twice: compose it once.'],
    [
      'one before the feature that it builds on',
      [feature('labels', { buildsOn: ['tags'] }), feature('tags')],
      'labels needs tags: put tags before it in `features`.',
    ],
    [
      'one without its tables',
      [feature('tags', { stores: [storeToken('tags')] })],
      'The storage has no tables of tags: add tagsTables to the `features` that it is opened with.',
    ],
    [
      'one with an event kind whose first word the core uses',
      [feature('tags', emits('sav.tagged'))],
      'tags declares sav.tagged: choose another word before the dot, because the core uses it.',
    ],
    [
      'one with an event kind whose first word another feature uses',
      [feature('tags', emits('tag.added')), feature('labels', emits('tag.printed'))],
      'labels declares tag.printed: choose another word before the dot, because tags uses it.',
    ],
  ])('%s is refused', async (_what, features, message) => {
    const storage = await memoryStorage()
    expect(() => refuseIncomplete(features, storage)).toThrow(new Error(message))
  })

  it('after those that they build on, each with event kinds of its own first word, is accepted', async () => {
    const features = [
      feature('tags', emits('tag.added')),
      feature('labels', { buildsOn: ['tags'], ...emits('label.added') }),
    ]
    const storage = await memoryStorage()
    expect(() => refuseIncomplete(features, storage)).not.toThrow()
  })
})
