// The list of components of an installed `sav`, in CycloneDX: what npm has installed, and what our packages bundle.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from '../prepare.mjs'

const generator = '@cyclonedx/cyclonedx-npm@6.0.1'

/**
 * Writes it to `file`.
 * @param project a folder in which npm has installed `@sav/cli`
 * @returns how many components it names
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

/** With what esbuild put into it: `writeLicences` of licences.ts has noted name, version and licence of each. */
function withBundled(component, directory) {
  const notices = join(directory, 'dist/third-party-notices.txt')
  if (!existsSync(notices)) return component
  const bundled = [...readFileSync(notices, 'utf8').matchAll(/^(@?[\w./-]+) (\d\S*) \((.+)\)$/gm)].map(
    ([, name, version, licence]) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      'bom-ref': `${component['bom-ref']}|bundled ${name}@${version}`,
      licenses: [/ (OR|AND) /.test(licence) ? { expression: licence } : { license: { id: licence } }],
    }),
  )
  return { ...component, components: [...(component.components ?? []), ...bundled] }
}
