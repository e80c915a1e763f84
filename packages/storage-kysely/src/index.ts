export type { Schema } from './schema.js'
