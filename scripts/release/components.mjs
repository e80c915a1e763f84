// Lists the components of an installed `sav` in CycloneDX format: packages installed by npm, and packages bundled in
// ours.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, root } from '../prepare.mjs'

const generator = '@cyclonedx/cyclonedx-npm@6.0.1'

/**
 * Writes the list to `file`.
 * @param project a folder in which npm has installed `@sav/cli`
 * @returns the number of components
 */
export function writeComponents(project, file) {
  const folder = mkdtempSync(join(tmpdir(), 'sav-components-'))
  const installed = join(folder, 'installed.json')
  const options = ['--omit', 'dev', '--output-reproducible', '--output-format', 'JSON', '--output-file', installed]
  execFileSync('npx', ['--yes', generator, ...options, join(project, 'package.json')], { cwd: project, env })
  const list = JSON.parse(readFileSync(installed, 'utf8'))
  rmSync(folder, { recursive: true })
  const ours = join(project, 'node_modules/@sav')
  const components = list.components.map((component) =>
    component.group === '@sav' ? withBundled(component, join(ours, component.name)) : component,
  )
  writeFileSync(file, `${JSON.stringify({ ...list, components }, null, 2)}\n`)
  return components.reduce((sum, { components: within = [] }) => sum + 1 + within.length, 0)
}

function withBundled(component, directory) {
  const bundled = bundledIn(component.name, directory).map(({ name, version, licence }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    'bom-ref': `${component['bom-ref']}|bundled ${name}@${version}`,
    licenses: [/ (OR|AND) /.test(licence) ? { expression: licence } : { license: { id: licence } }],
  }))
  return bundled.length === 0 ? component : { ...component, components: [...(component.components ?? []), ...bundled] }
}

/**
 * The packages that are bundled in one of ours, as its notices list them: with name, version and licence. The console's
 * notices have only names.
 */
function bundledIn(name, directory) {
  const [notices, notice] = ['dist/third-party-notices.txt', 'NOTICE'].map((file) => join(directory, file))
  if (existsSync(notices))
    return [...readFileSync(notices, 'utf8').matchAll(/^(@?[\w./-]+) (\d\S*) \((.+)\)$/gm)].map(
      ([, of, version, licence]) => ({ name: of, version, licence }),
    )
  if (!existsSync(notice)) return []
  const names = [...readFileSync(notice, 'utf8').matchAll(/^=+\n(\S+)$/gm)].map(([, of]) => of)
  const within = join(root, 'packages', name, 'node_modules')
  const folders = [
    within,
    ...names
      .map((of) => join(within, of))
      .filter(existsSync)
      .map(neighboursOf),
  ]
  return names.map((of) => {
    const file = folders.map((folder) => join(folder, of, 'package.json')).find(existsSync)
    if (file === undefined) throw new Error(`${notice} names ${of}, which the package does not use`)
    const { version, license } = JSON.parse(readFileSync(file, 'utf8'))
    return { name: of, version, licence: license }
  })
}

/** The folder where pnpm puts the dependencies of a package. */
const neighboursOf = (folder) => /^.*\/node_modules(?=\/)/.exec(realpathSync(folder))[0]
