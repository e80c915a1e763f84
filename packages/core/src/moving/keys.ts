import { sha256Of } from '../node-crypto.js'
import type { ImportType } from './import-store.js'

/** What identifies a row for good by the id that it has in the system that it comes from. */
export const keyOfExternal = (type: ImportType, id_externe: string): string => sha256Of(`${type}\n${id_externe}`)
