/** What reads files of its own stays outside of the bundle. */
export default { serverExternalPackages: ['@sav/http-node', '@sav/storage-kysely', 'better-sqlite3'] }
