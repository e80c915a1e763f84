import type { ImportType } from '@sav/core/internal'
import { ofTheService, table, text, whole } from './table.js'

/** Rows that were imported from another system. */
export const movingTables = {
  imported_rows: table(
    {
      account_id: text(),
      type: text<ImportType>(),
      /** SHA-256 of what identifies the row. */
      cle: text(),
      id: whole(),
      /** SHA-256 of the row's text. */
      empreinte: text().orNull().personal(),
    },
    { key: ['account_id', 'type', 'cle'], evidence: ofTheService },
  ),
}
