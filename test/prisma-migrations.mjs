/**
 * Runs a team's Prisma migrations before and after ours, in one database. `prisma migrate` downloads its engine; this
 * script uses the same engine, from an npm package, in the same way.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import { openPostgres } from '@sav/storage-kysely/postgres'
import pg from 'pg'

const { hostname: host, port, username: user, password, pathname } = new URL(process.env.SHOP_DB)
const database = { host, port: Number(port), user, password, database: pathname.slice(1) }
const pool = new pg.Pool(database)

/** The adapter cannot read columns of type "char" (18), which the catalogue has. This reads them as text (25). */
function readingChars(adapter) {
  const performIO = adapter.performIO.bind(adapter)
  const queryRaw = adapter.queryRaw.bind(adapter)
  let chars = []
  adapter.performIO = async (query) => {
    const result = await performIO(query)
    chars = result.fields.filter(({ dataTypeID }) => dataTypeID === 18)
    for (const field of chars) field.dataTypeID = 25
    chars = chars.map((field) => result.fields.indexOf(field))
    return result
  }
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const index of chars) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
  return adapter
}

class Adapter extends PrismaPg {
  connect = async () => readingChars(await super.connect())
  /** Replaces the adapter's own method, which drops the database before it has disconnected. */
  connectToShadowDb = async () => {
    const shadow = `shadow_${crypto.randomUUID()}`
    await pool.query(`create database "${shadow}"`)
    const adapter = readingChars(await new PrismaPg({ ...database, database: shadow }).connect())
    const dispose = adapter.dispose.bind(adapter)
    adapter.dispose = async () => {
      await dispose()
      await pool.query(`drop database "${shadow}"`)
    }
    return adapter
  }
}

const schemaWith = (field) => `datasource db {
  provider = "postgresql"
}
model orders {
  id Int @id @default(autoincrement())
  part String
  ${field}
}
model clients {
  id Int @id @default(autoincrement())
  email String
}`
const engineOf = (schema) =>
  SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new Adapter(database)),
  )
const filesOf = (content) => ({ files: [{ path: 'schema.prisma', content }] })
const filters = { externalTables: [], externalEnums: [] }
const migrationDirectories = []
const migrationsList = {
  baseDir: 'migrations',
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories,
}

/** Does what `prisma migrate dev` does. Returns the SQL of the new migration. */
async function migrateDev(migrationName, schema) {
  const engine = await engineOf(schema)
  const { action } = await engine.devDiagnostic({ migrationsList, filters })
  if (action.tag !== 'createMigration') throw new Error(JSON.stringify(action))
  const made = await engine.createMigration({
    draft: false,
    migrationName,
    migrationsList,
    schema: filesOf(schema),
    filters,
  })
  const content = { tag: 'ok', value: made.migrationScript }
  migrationDirectories.push({
    path: made.generatedMigrationName,
    migrationFile: { path: 'migration.sql', content },
  })
  await engine.applyMigrations({ migrationsList, filters })
  return made.migrationScript
}

async function tablesOf(schema) {
  const { rows } = await pool.query(
    'select table_name from information_schema.tables where table_schema = $1 order by 1',
    [schema],
  )
  return rows.map((row) => row.table_name)
}

await migrateDev('first', schemaWith(''))
const storage = await openPostgres({ pool }, { schema: 'sav' })
await storage.migrate()
const ours = (await tablesOf('sav')).join()
const sql = await migrateDev('second', schemaWith('supplier String?'))
// `prisma db push --accept-data-loss` would drop tables that it does not know.
const pushed = schemaWith('quantity Int?')
await (await engineOf(pushed)).schemaPush({ force: true, schema: filesOf(pushed), filters })
const kept = (await tablesOf('sav')).join() === ours ? 'kept' : 'lost'
const pending = (await storage.pendingMigrations()).join() || 'none'
console.log(`${sql.trim().split('\n').at(-1)} ours: ${kept}, ${pending} pending`)
await storage.close()
await pool.end()
