import { loadDriver } from '../drivers.js'

export const Driver: typeof import('better-sqlite3') = loadDriver('better-sqlite3')
