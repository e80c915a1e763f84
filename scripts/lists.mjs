// Writes the lists of a folder's modules and exports. Each build begins with this.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const packages = join(import.meta.dirname, '../packages')
const inputPattern = /^export const (\w+Input) = lazily\(/gm
const storage = 'storage-kysely/src'

/** The relative paths of a folder's modules, with `recursive` also those of its subfolders. */
const modulesIn = (folder, inside = { recursive: false }) =>
  readdirSync(join(packages, folder), inside)
    .filter((file) => /(^|\/)[^./]+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted()

const textOf = (folder, module) => readFileSync(join(packages, folder, `${module}.ts`), 'utf8')

/** The exports of modules with matching names, each with its module. */
const exportedBy = (folder, modules, pattern) =>
  modules.flatMap((file) => {
    const names = [...textOf(folder, file).matchAll(pattern)].map(([, name]) => name)
    return names.length === 0 ? [] : [{ file, names }]
  })

const importsOf = (modules) =>
  modules.map(({ file, names }) => `import { ${names.join(', ')} } from './${file}.js'`).join('\n')

const header = '// Written by scripts/lists.mjs, from the files beside it and below.'

function write(path, source) {
  const file = join(packages, path)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source)
}

function writeMigrations() {
  const migrations = modulesIn(`${storage}/migrations`).map((file) => ({
    file,
    // `0012-new-tables` exports `newTables`.
    made: file.replace(/^\d+-/, '').replace(/-(.)/g, (_, letter) => letter.toUpperCase()),
  }))
  write(
    `${storage}/migrations/list.gen.ts`,
    `${header}
import type { Definitions } from '../statements/dialect.js'
${migrations.map(({ file, made }) => `import { ${made} } from './${file}.js'`).join('\n')}

/** Every migration by name. The list is static, so that it can be bundled. Released migrations are never edited. */
export const migrations: Readonly<Record<string, Definitions>> = {
${migrations.map(({ file, made }) => `  '${file}': ${made},`).join('\n')}
}
`,
  )
}

function writeRepositories() {
  const folder = `${storage}/repositories`
  const repositories = exportedBy(folder, modulesIn(folder), /^export class (\w+) extends Repository /gm)
  const key = (made) => made.charAt(0).toLowerCase() + made.slice(1)
  write(
    `${folder}/repositories.gen.ts`,
    `${header}
import type { Transaction } from '@sav/core/ports'
import type { QueryRunner } from '../statements/query-runner.js'
${importsOf(repositories)}

/** Creates every repository of the core on a connection: for a transaction, or for reads. */
export const repositoriesOn = (db: QueryRunner): Omit<Transaction, 'of'> => ({
${repositories.flatMap(({ names }) => names.map((each) => `  ${key(each)}: new ${each}(db),`)).join('\n')}
})
`,
  )
}

/** Writes an object of the matching exports of all modules below the list's folder. */
function writeDeclared(path, pattern, what) {
  const folder = dirname(path)
  const found = exportedBy(folder, modulesIn(folder, { recursive: true }), pattern)
  write(
    path,
    `${header}
${importsOf(found)}

/** ${what} */
export const declared = {
${found.flatMap(({ names }) => names.map((each) => `  ${each},`)).join('\n')}
}
`,
  )
}

/**
 * Writes the exports of the core's schemas under the names that routes use: `caseDetailShape` is `shapes.caseDetail`.
 */
function writeSchemas(path, what, pattern) {
  const found = exportedBy('core/src', modulesIn('core/src', { recursive: true }), pattern)
  const renamed = (name) => `  ${name} as ${name.replace(/(Shape|Input)$/, '')},\n`
  const lines = found.map(({ file, names }) => `export {\n${names.map(renamed).join('')}} from './${file}.js'\n`)
  write(`core/src/${path}`, `${header}\n/** ${what} */\n${lines.join('')}`)
}

/**
 * Writes a list of the features' input schemas, by feature and name. Their types with docstrings are generated from it.
 */
function writeFeatureInputs() {
  const features = readdirSync(packages)
    .filter((name) => name !== 'core' && existsSync(join(packages, name, 'src')))
    .map((name) => ({
      name,
      found: exportedBy(`${name}/src`, modulesIn(`${name}/src`, { recursive: true }), inputPattern),
    }))
    .filter(({ found }) => found.length > 0)
  const imports = features.flatMap(({ name, found }) =>
    found.map(({ file, names }) => `import { ${names.join(', ')} } from '../../packages/${name}/src/${file}.js'`),
  )
  const member = (schema) => `    ${schema.replace(/Input$/, '')}: ${schema},`
  const objects = features.map(
    ({ name, found }) => `  ${name}: {\n${found.flatMap(({ names }) => names.map(member)).join('\n')}\n  },`,
  )
  write(
    '../test/whole/inputs.gen.ts',
    `${header}
${imports.join('\n')}

/** The inputs of every feature, as schemas. */
export const featureInputs = {
${objects.join('\n')}
}
`,
  )
}

export function writeLists() {
  writeSchemas(
    'inputs.gen.ts',
    'The input of each use case, as a schema. Routes parse their bodies, queries and paths with these schemas.',
    inputPattern,
  )
  writeFeatureInputs()
  writeSchemas(
    'shapes.gen.ts',
    'The output of each use case, as a schema. Routes form their answers with these schemas.',
    /^export const (\w+Shape) = /gm,
  )
  writeMigrations()
  writeRepositories()
  writeDeclared(
    'http-node/src/routes/routes.gen.ts',
    /^export const (\w+Routes)\b/gm,
    'Every operation of the API; all.ts puts them in order.',
  )
  writeDeclared(
    'command/src/groups.gen.ts',
    /^export const (\w+Commands): CommandGroup\b/gm,
    'Every group of commands; program.ts puts them in order.',
  )
}
