import type { Storage } from '@sav/core/ports'

/**
 * The parts of vitest that the contract uses. They are passed in, so that this package loads without vitest.
 * @ts-ignore for projects that check declarations, but have not installed vitest */
export type Vitest = Pick<typeof import('vitest'), 'describe' | 'it' | 'expect'>

/** The tools of one part of the contract. */
export interface Suite extends Pick<Vitest, 'describe' | 'expect'> {
  /** A test with its own storage, closed when the test ends. */
  readonly it: (name: string, test: (storage: Storage) => Promise<void>) => void
}
