import * as z from 'zod'

/** The target's own note of a copy that is under way; gone when it is whole. */
export const copyFact = 'copy_under_way'

const noteShape = z.object({
  /** What is copied, without its password. */
  from: z.string(),
  /** The table that is being copied, and the key of the last row that is there; null: none of it. */
  table: z.string(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
})
export type CopyNote = z.output<typeof noteShape>

export function readNote(fact: string | null): CopyNote | null {
  return fact === null ? null : noteShape.parse(JSON.parse(fact))
}

export const writeNote = (note: CopyNote): string => JSON.stringify(note)
