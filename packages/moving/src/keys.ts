import { sha256Of } from '@sav/core/feature'
import type { Account } from '@sav/core/ports'
import type { ImportType } from './import-store.js'

/** The key of a row by its id in its own system. */
export const keyOfExternal = (type: ImportType, id_externe: string): string => sha256Of(`${type}\n${id_externe}`)

/** The prefix of all ids in an account's exports, which no other system or account has. */
export const exportedBy = ({ id, created_at }: Pick<Account, 'id' | 'created_at'>): string => `${id} ${created_at} `
