import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  case_id: integer().notNull(),
  part: text().notNull(),
})
