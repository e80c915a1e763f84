/** `drizzle-kit push` drops tables missing from `schema`; `tablesFilter` excludes those of the service. */
export default {
  dialect: 'sqlite',
  schema: './schema.ts',
  dbCredentials: { url: process.env['SHOP_DB'] ?? 'shop.db' },
  tablesFilter: ['!sav_*'],
}
