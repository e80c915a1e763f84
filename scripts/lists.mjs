// Writes the lists that follow from the files of a folder; the build begins with it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const storage = join(import.meta.dirname, '../packages/storage-kysely/src')
const modulesOf = (folder) =>
  readdirSync(join(storage, folder)).flatMap((file) => (/^[^.]+\.ts$/.test(file) ? [basename(file, '.ts')] : []))

function write(path, source) {
  const file = join(storage, path)
  if (readFileSync(file, 'utf8') !== source) writeFileSync(file, source)
}

export function writeLists() {
  const migrations = modulesOf('migrations').map((file) => ({
    file,
    // `0024-waiting-letters` makes `waitingLetters`.
    made: file.replace(/^\d+-/, '').replace(/-(.)/g, (_, letter) => letter.toUpperCase()),
  }))
  write(
    'migrations/list.gen.ts',
    `// Written by scripts/lists.mjs, from the files beside it.
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'
${migrations.map(({ file, made }) => `import { ${made} } from './${file}.js'`).join('\n')}

/** Every migration by name, a static list that survives bundling. A shipped one is never edited, only added to. */
export const migrations = (dialect: Dialect, name: NameOf): Record<string, Migration> => ({
${migrations.map(({ file, made }) => `  '${file}': ${made}(dialect, name),`).join('\n')}
})
`,
  )

  const repositories = modulesOf('repositories').flatMap((file) => {
    const text = readFileSync(join(storage, `repositories/${file}.ts`), 'utf8')
    const made = [...text.matchAll(/^export class (\w+) extends Repository /gm)].map(([, name]) => name)
    return made.length === 0 ? [] : [{ file, made }]
  })
  const key = (made) => made.charAt(0).toLowerCase() + made.slice(1)
  write(
    'repositories/repositories.gen.ts',
    `// Written by scripts/lists.mjs, from the files beside it.
import type { Transaction } from '@sav/core/ports'
import type { QueryRunner } from '../statements/query-runner.js'
${repositories.map(({ file, made }) => `import { ${made.join(', ')} } from './${file}.js'`).join('\n')}

/** Every repository: on a transaction's connection it is what the transaction is given, else reads. */
export const repositoriesOn = (db: QueryRunner): Transaction => ({
${repositories.flatMap(({ made }) => made.map((each) => `  ${key(each)}: new ${each}(db),`)).join('\n')}
})
`,
  )
}
