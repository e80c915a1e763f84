// A package that bundles others must include their licences.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'

/**
 * Writes the licences of bundled code to `dist/third-party-notices.txt` of the package.
 * @param inputs paths of the bundled files
 * @param outside modules that the bundle imports
 * @param directory the package's directory
 * @throws Error for code without a licence, or an import that is not a dependency of the package
 */
export function writeLicences(inputs: readonly string[], outside: readonly string[], directory: string): void {
  const { name, dependencies, peerDependencies } = readJson(join(directory, 'package.json'))
  const installed = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies }), ...builtinModules])
  const lacking = outside.map((path) => packageOf(path.replace(/^node:/, ''))).filter((each) => !installed.has(each))
  if (lacking.length > 0) throw new Error(`${directory} imports ${lacking.join(', ')} without depending on it`)

  const ours = readFileSync(join(directory, '../../LICENSE'), 'utf8')
  const mit = ours.slice(ours.indexOf(granted)).trim()
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? [])
  const licences = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license: declared, author } = readJson(join(folder, 'package.json'))
    const files = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each))
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    // Some packages only name the MIT licence, and some only contain its text.
    const license = declared ?? (texts.some((text) => text.includes(granted)) ? 'MIT' : undefined)
    if (texts.length === 0 && license === 'MIT' && author)
      texts.push(`Copyright (c) ${author.name ?? author}\n\n${mit}`)
    if (texts.length === 0 || license === undefined) throw new Error(`${name} has no licence: it may not be bundled`)
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
  })
  mkdirSync(join(directory, 'dist'), { recursive: true })
  writeFileSync(join(directory, 'dist/third-party-notices.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`))
}

/** The first words of the MIT licence's text. The lines above it vary. */
const granted = 'Permission is hereby granted, free of charge'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** The name of a module's package: `kysely` for `kysely/migration`. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')
