// The packages load this before anything else: on an older Node their dependencies fail with unclear errors.

/** The value of `engines` in package.json. */
const oldest = '22.19'

const { node, deno, bun } = globalThis.process?.versions ?? {}
const [major = 0, minor = 0] = (node ?? oldest).split('.').map(Number)
const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
const isOlder = major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
// Deno and Bun name a Node that they are compatible with.
if (isOlder && deno === undefined && bun === undefined)
  throw new Error(
    `@sav needs Node ${oldest} or newer, and this is ${node}: install it from https://nodejs.org and try again.`,
  )

export {}
