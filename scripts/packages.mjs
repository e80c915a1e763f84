// Packs our packages as they are published, and checks the tarballs.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, run } from './prepare.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Packs all packages into `folder`, which must be empty. Returns the paths of the tarballs. */
export const packAll = (folder) => pack(folder, ['--filter', './packages/*'])

/** Packs `@sav/cli` and our packages that it depends on. All other packages are bundled into it. */
export function packCommand(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
  const names = ['@sav/cli', ...Object.keys(dependencies).filter((name) => name.startsWith('@sav/'))]
  return pack(
    folder,
    names.flatMap((name) => ['--filter', name]),
  )
}

function pack(folder, packages) {
  run('npx', ['--yes', packageManager, '-r', ...packages, 'pack', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return readdirSync(folder).map((file) => join(folder, file))
}

/**
 * Checks the contents of each tarball, also with publint and "are the types wrong". Both run in this process, since
 * each start would load a compiler.
 * @throws Error naming all problems
 */
export async function checkTarballs(tarballs, { changelog }) {
  const found = []
  for (const tarball of tarballs) {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n')
    const expected = ['LICENSE', 'README.md', ...(changelog ? ['CHANGELOG.md'] : []), ...noticesOf(tarball)]
    const missing = expected.filter((file) => !files.includes(`package/${file}`))
    const surplus = files.filter((file) => /tsbuildinfo|\.map$|\.test\.|\/src\//.test(file))
    const wrong = [
      ...missing.map((file) => `lacks ${file}`),
      ...surplus.map((file) => `holds ${file}`),
      ...narrowRanges(tarball).map((range) => `asks for ${range}`),
      ...undeclared(tarball, files).map((name) => `imports ${name}, which it does not depend on`),
      ...(await lint(tarball)),
      ...(await wrongTypes(tarball)),
    ]
    found.push(...wrong.map((what) => `${tarball} ${what}`))
  }
  if (found.length > 0) throw new Error(`The packages cannot be published:\n${found.join('\n')}`)
}

/** The files with the notices of each package's bundled code and data. licences.ts writes most of them. */
const notices = {
  'api-reference': ['dist/third-party-notices.txt'],
  cli: ['dist/third-party-notices.txt'],
  console: ['NOTICE'],
  core: ['NOTICE', 'dist/third-party-notices.txt'],
  'http-node': ['dist/third-party-notices.txt'],
  'reception-report': ['dist/third-party-notices.txt'],
}

const noticesOf = (tarball) => notices[/sav-([a-z0-9-]+?)-\d[^/]*\.tgz$/.exec(tarball)?.[1]] ?? []

const inTarball = (tarball, file) =>
  execFileSync('tar', ['-xOzf', tarball, file], { maxBuffer: 64 << 20, encoding: 'utf8' })

/**
 * Dependencies on our own packages with a range that excludes later releases: such a package could be installed twice.
 */
function narrowRanges(tarball) {
  const { version, dependencies, peerDependencies } = JSON.parse(inTarball(tarball, 'package/package.json'))
  return Object.entries({ ...dependencies, ...peerDependencies })
    .filter(([name, range]) => name.startsWith('@sav/') && range !== `^${version}`)
    .map(([name, range]) => `${name} ${range}`)
}

/** Packages that a tarball's code imports without depending on them. */
function undeclared(tarball, files) {
  const { name, dependencies, peerDependencies } = JSON.parse(inTarball(tarball, 'package/package.json'))
  const declared = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])
  const imported = files
    .filter((file) => /^package\/dist\/(?!.*(^|\/)(app|assets)\/).*\.js$/.test(file))
    .flatMap((file) => [
      ...inTarball(tarball, file).matchAll(/^(?:(?:import|export|\}) .*?from |import )["']([^"'.#/][^"']*)["']/gm),
    ])
    .map(([, path = '']) => path)
    .filter((path) => !isBuiltin(path))
    .map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
  return [...new Set(imported)].filter((each) => !declared.has(each))
}

async function lint(tarball) {
  const { publint } = await import('publint')
  const { formatMessage } = await import('publint/utils')
  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const packed = buffer.slice(byteOffset, byteOffset + byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true, level: 'warning' })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

async function wrongTypes(tarball) {
  const command = createRequire(realpathSync(join(root, 'node_modules/@arethetypeswrong/cli/package.json')))
  const { checkPackage, createPackageFromTarballData } = await import(
    pathToFileURL(command.resolve('@arethetypeswrong/core')).href
  )
  const manifest = JSON.parse(inTarball(tarball, 'package/package.json'))
  // Packages that only have scripts or commands have no types.
  if (!Object.values(manifest.exports).some((entry) => JSON.stringify(entry).includes('.d.ts'))) return []
  const { types, problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
  if (!types) return ['has no types']
  // A package with a CommonJS build supports all resolutions except the oldest; the other packages are ESM only.
  const isForAll = JSON.stringify(manifest.exports).includes('"require"')
  const left = isForAll ? ['node10'] : ['node10', 'node16-cjs']
  return problems
    .filter(({ resolutionKind }) => !left.includes(resolutionKind))
    .map((problem) => `types: ${JSON.stringify(problem)}`)
}
