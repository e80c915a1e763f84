import { sha256Of } from '../node-crypto.js'
import type { ImportType } from './import-store.js'

/** The key of a row by its id in its own system. */
export const keyOfExternal = (type: ImportType, id_externe: string): string => sha256Of(`${type}\n${id_externe}`)
