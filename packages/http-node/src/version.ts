import { readFileSync } from 'node:fs'

/** Of this package, in `src` and in `dist` alike: each is one folder below its package.json. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
