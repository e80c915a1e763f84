import { type Actor, CaseNotFoundError } from '@sav/core'
import {
  emitterOf,
  type Feature,
  lazily,
  parse,
  performing,
  refusalsOf,
  storeToken,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import * as z from 'zod'

/** What the feature needs from a storage. */
export interface TagReads {
  /** The tags of a case, in alphabetical order. */
  ofCase(account_id: string, case_id: number): Promise<string[]>
  /** The ids of the cases with a tag, newest first. */
  cases(account_id: string, nom: string): Promise<number[]>
}

export interface TagWrites extends TagReads {
  add(account_id: string, case_id: number, nom: string): Promise<void>
  /** Resolves to whether the tag existed. */
  remove(account_id: string, case_id: number, nom: string): Promise<boolean>
  /** Deletes the tags of all cases of a client. */
  forget(account_id: string, client_id: number): Promise<void>
}

export const tagStore = storeToken<TagReads, TagWrites>('tags')

/** A tag: 1 to 30 letters, digits or hyphens. */
export const tagInput = lazily(() =>
  z.strictObject({ nom: z.string().regex(/^[\p{L}\d-]{1,30}$/u, issue('tag_invalid')) }),
)
type TagInput = z.input<ReturnType<typeof tagInput>>

/** A permission for keys; users with these roles have it. To list tags, the permission to read cases is enough. */
export const tagPermissions = {
  'tags:write': { allows: 'add and remove tags of cases', roles: ['gestion', 'atelier'] },
} as const

const maxTags = 10

const sentences = {
  tag_invalid: 'must be 1 to 30 letters, digits or hyphens',
  tag_too_many: 'the case has {max} tags: remove one first',
} as const
const { conflict, issue } = refusalsOf(sentences)

export const tagEvents = {
  'tag.added': {
    description: 'A case got a tag.',
    data: lazily(() => z.object({ sav: z.object({ id: z.int() }), nom: z.string() })),
    example: { sav: { id: 42 }, nom: 'garantie' },
  },
}
const emit = emitterOf(tagEvents)

export interface Tags {
  /** @throws CaseNotFoundError */
  list(account_id: string, case_id: number): Promise<string[]>
  cases(account_id: string, input: TagInput): Promise<number[]>
  /** @throws CaseNotFoundError, ValidationError, ConflictError for an eleventh tag */
  add(actor: Actor, case_id: number, input: TagInput): Promise<string[]>
  /** Removing a missing tag succeeds. @throws CaseNotFoundError, ValidationError */
  remove(actor: Actor, case_id: number, input: TagInput): Promise<void>
}

export type TagFeature = Feature<{ tags: Tags }, { tags: WritesOf<Tags, 'add' | 'remove'> }>

/** Short words on cases, such as `garantie`. */
export const tags = (): TagFeature => ({
  name: 'tags',
  sentences,
  permissions: tagPermissions,
  events: tagEvents,
  stores: [tagStore],
  compose: ({ clock, newId }) => {
    const writes: WritesOf<Tags, 'add' | 'remove'> = {
      add({ account_id }, case_id, input) {
        const { nom } = parse(tagInput, input)
        return {
          async write(tx) {
            if ((await tx.cases.lock(account_id, case_id)) === null) throw new CaseNotFoundError(case_id)
            const before = await tx.of(tagStore).ofCase(account_id, case_id)
            if (before.includes(nom)) return before
            if (before.length === maxTags) throw conflict('tag_too_many', { max: maxTags })
            await tx.of(tagStore).add(account_id, case_id, nom)
            const data = { sav: { id: case_id }, nom }
            await emit(tx, newId, { account_id, event: 'tag.added', at: toInstant(clock.now()), data })
            return [...before, nom].toSorted()
          },
        }
      },
      remove({ account_id }, case_id, input) {
        const { nom } = parse(tagInput, input)
        return {
          async write(tx) {
            if ((await tx.cases.lock(account_id, case_id)) === null) throw new CaseNotFoundError(case_id)
            await tx.of(tagStore).remove(account_id, case_id, nom)
          },
        }
      },
    }
    return {
      erasesClient: {
        lock: async () => {},
        erase: (tx, { account_id, client_id }) => tx.of(tagStore).forget(account_id, client_id),
      },
      on: ({ storage, reads }) => ({
        useCases: {
          tags: {
            async list(account_id, case_id) {
              if ((await reads.cases.find(account_id, case_id)) === null) throw new CaseNotFoundError(case_id)
              return reads.of(tagStore).ofCase(account_id, case_id)
            },
            cases: async (account_id, input) => reads.of(tagStore).cases(account_id, parse(tagInput, input).nom),
            ...performing(storage, writes),
          },
        },
        writes: { tags: writes },
      }),
    }
  },
})
