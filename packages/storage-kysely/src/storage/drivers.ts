import { createRequire } from 'node:module'

/** The drivers, one of which is installed beside this package. */
interface Drivers {
  readonly 'better-sqlite3': typeof import('better-sqlite3')
  readonly pg: typeof import('pg')
}

// A CommonJS bundle has no `import.meta`.
const require = createRequire(import.meta.url ?? __filename)

/** Loads a driver. @throws Error that says how to install it, which a static `import` could not */
export function loadDriver<Name extends keyof Drivers>(name: Name): Drivers[Name] {
  try {
    return require(name)
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause
    throw new Error(`The driver ${name} is not installed: npm install ${name}`, { cause })
  }
}

/** False when the driver exists but lacks a module of its own. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'MODULE_NOT_FOUND' &&
    error.message.startsWith(`Cannot find module '${name}'\n`)
  )
}
