export type { Schema } from './tables/tables.js'
