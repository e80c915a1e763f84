import { readFileSync } from 'node:fs'

/** Of this package; both `src` and `dist` are one folder below its package.json. */
export function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
