import { readFileSync } from 'node:fs'

/** The version of this package. `src` and `dist` are each one folder below its package.json. */
export function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
