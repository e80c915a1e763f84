import * as vitest from 'vitest'

type Runner = Pick<typeof vitest, 'describe' | 'it' | 'expect'>

/**
 * A runner for `storageContract` that runs only these parts of it, by their names: for a layout of a store that can differ
 * from the others in nothing else.
 * @throws Error when the contract has no part of such a name
 */
export const onlyParts = (names: readonly string[]): Runner => running(names, (name) => names.includes(name))

/** One that runs all the others. */
export const exceptParts = (names: readonly string[]): Runner => running(names, (name) => !names.includes(name))

function running(names: readonly string[], isWanted: (name: string) => boolean): Runner {
  const missing = new Set(names)
  /** Of the contract that holds the parts, and of what is inside them. */
  let depth = 0
  const describe = (name: string, tests: () => void) => {
    const own = depth
    missing.delete(name)
    if (own === 1 && !isWanted(name)) return
    // The parts are called when the contract has named them all.
    vitest.describe(name, () => {
      depth = own + 1
      tests()
      depth = own
      if (own === 0 && missing.size > 0) throw new Error(`The contract has no part ${[...missing].join(', ')}.`)
    })
  }
  return { ...vitest, describe: Object.assign(describe, vitest.describe) }
}
