import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { exampleFolder, startFile } from './running.js'

const run = promisify(execFile)
const example = join(import.meta.dirname, 'embed-bundled')
const folder = exampleFolder()
const bin = (name: string, of = join(import.meta.dirname, '..')) => join(of, 'node_modules/.bin', name)
const outside = ['better-sqlite3', 'pg']

/** The banner in the docs. It defines `require`, which CommonJS packages call, but modules do not have. */
const docs = readFileSync(join(import.meta.dirname, '../docs/embedding.md'), 'utf8')
const banner = /--banner:js="(.*)"$/m.exec(docs)?.[1] ?? ''
const scripts: { readonly build: string } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8')).scripts
const [, ...written] = scripts.build.split(' ')

const formats = ['cjs', 'esm'] as const
type Format = (typeof formats)[number]

/** Each bundler puts the example into a folder, and resolves to the bundled file. */
const bundlers: { readonly [name: string]: (format: Format, to: string) => Promise<string> } = {
  async esbuild(format, to) {
    const file = join(to, format === 'cjs' ? 'server.cjs' : 'server.mjs')
    const args = written.filter((arg) => !/^--(format|outfile)=/.test(arg))
    const own = format === 'esm' ? [`--banner:js=${banner}`] : []
    await run(bin('esbuild', example), [...args, `--format=${format}`, `--outfile=${file}`, ...own], { cwd: example })
    return file
  },
  async rolldown(format, to) {
    const args = ['main.ts', '--platform', 'node', '--format', format, '--dir', to, '--external', outside.join(',')]
    await run(bin('rolldown'), args, { cwd: example })
    await writeFile(join(to, 'package.json'), JSON.stringify({ type: format === 'cjs' ? 'commonjs' : 'module' }))
    return join(to, 'main.js')
  },
  async tsup(format, to) {
    const config = {
      ...{ entry: ['main.ts'], format, platform: 'node', target: 'node22', outDir: to, splitting: false, silent: true },
      ...{ external: outside, ...(format === 'esm' && { banner: { js: banner } }) },
    }
    const file = join(to, 'tsup.config.mjs')
    await writeFile(file, `export default { ...${JSON.stringify(config)}, noExternal: [/.*/] }`)
    await run(bin('tsup'), ['--config', file], { cwd: example })
    return join(to, format === 'cjs' ? 'main.cjs' : 'main.js')
  },
}

const isFull = process.env['SAV_TEST_FULL'] === '1'
const cases = Object.entries(bundlers)
  .filter(([name]) => isFull || name === 'esbuild')
  .flatMap(([name, bundle]) => formats.map((format) => ({ name, format, bundle })))

it.each(cases)('a server that $name bundled into one $format file starts', async ({ name, format, bundle }) => {
  const to = join(folder, `${name}-${format}`)
  await mkdir(join(to, 'node_modules'), { recursive: true })
  await symlink(join(example, 'node_modules/better-sqlite3'), join(to, 'node_modules/better-sqlite3'))
  const file = await bundle(format, to)
  const key = Buffer.alloc(32, 7).toString('base64')
  const server = startFile(file, { SHOP_DB: join(to, 'shop.db'), SHOP_KEY: key, PORT: '0' })
  const { value = '' } = await server.next()
  const url = /^listening on (http:\S+)$/.exec(value)?.[1] ?? ''
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  expect((await fetch(`${url}/api/v1/sav`)).status).toBe(401)
  expect(await server.stop()).toEqual([0, null])
})
