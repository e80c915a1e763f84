import type { ImportType } from '@sav/core/internal'
import { ofTheService, table, text, whole } from './table.js'

/** What was imported, and how its rows are known again. */
export const movingTables = {
  imports: table(
    {
      account_id: text(),
      type: text<ImportType>(),
      /** The external id, or the digest of a row without one. */
      cle: text(),
      objet_id: whole(),
      client_id: whole().orNull(),
      /** SHA-256 of the row as it was imported; empty once the client is erased. */
      empreinte: text().personal(),
    },
    { key: ['account_id', 'type', 'cle'], evidence: ofTheService },
  ),
}
