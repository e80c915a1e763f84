import type { Storage } from '@sav/core/ports'

/**
 * What the contract takes from vitest. It is handed in, so that this package can be loaded without it.
 * @ts-ignore if it is not installed, and declarations are checked as well */
export type Vitest = Pick<typeof import('vitest'), 'describe' | 'it' | 'expect'>

/** What one part of the contract is written with. */
export interface Suite extends Pick<Vitest, 'describe' | 'expect'> {
  /** A test with a storage of its own, closed when the test ends. */
  readonly it: (name: string, test: (storage: Storage) => Promise<void>) => void
}
