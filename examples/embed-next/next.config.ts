/** Packages that read their own files must stay outside the bundle. */
export default { serverExternalPackages: ['@sav/http-node', '@sav/storage-kysely', 'better-sqlite3'] }
