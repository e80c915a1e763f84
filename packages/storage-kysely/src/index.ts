export type { Schema } from './tables.js'
