import { schema } from '@sav/storage-kysely/feature'
import type { ImportType } from '../import-store.js'

/** Rows that were imported from another system. */
export const tables = {
  imported_rows: schema.table(
    {
      account_id: schema.text(),
      type: schema.text<ImportType>(),
      /** SHA-256 of what identifies the row. */
      cle: schema.text(),
      id: schema.whole(),
      /** SHA-256 of the row's text. */
      empreinte: schema.text().orNull().personal(),
    },
    { key: ['account_id', 'type', 'cle'], evidence: schema.ofTheService },
  ),
}
