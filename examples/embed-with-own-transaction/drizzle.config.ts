/** `drizzle-kit push` drops the tables that `schema` does not have: ours are kept from it. */
export default {
  dialect: 'sqlite',
  schema: './schema.ts',
  dbCredentials: { url: process.env['SHOP_DB'] ?? 'shop.db' },
  tablesFilter: ['!sav_*'],
}
