import * as vitest from 'vitest'

type Runner = Pick<typeof vitest, 'describe' | 'it' | 'expect'>

/**
 * A runner for `storageContract` that runs only these parts, for a layout that can differ from others only in them.
 * @throws Error when the contract has no part of such a name
 */
export const onlyParts = (names: readonly string[]): Runner => running(names, (name) => names.includes(name))

/** A runner that runs all other parts. */
export const exceptParts = (names: readonly string[]): Runner => running(names, (name) => !names.includes(name))

function running(names: readonly string[], isWanted: (name: string) => boolean): Runner {
  const missing = new Set(names)
  /** 0 outside the contract, 1 in it, 2 in a part. */
  let depth = 0
  const describe = (name: string, tests: () => void) => {
    const own = depth
    missing.delete(name)
    if (own === 1 && !isWanted(name)) return
    // `tests` of the contract describes all of its parts. So after that call, every name of a part has been seen.
    vitest.describe(name, () => {
      depth = own + 1
      tests()
      depth = own
      if (own === 0 && missing.size > 0) throw new Error(`The contract has no part ${[...missing].join(', ')}.`)
    })
  }
  return { ...vitest, describe: Object.assign(describe, vitest.describe) }
}
