import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
// TypeScript 7 has no JavaScript API yet, so neither api-extractor nor typedoc can read its output.
import ts from 'typescript-6'
import { hasAny, throwsUnsaid, unsaidNumbers } from './public-docs.js'

/** The exports of a package, as its declarations show them. */
export interface PublicApi {
  /** A Markdown text with a section for each subpath: each export with its declaration, without comments. */
  readonly report: string
  /** Exports without a docstring. */
  readonly undocumented: readonly string[]
  /** Exported numbers whose unit or meaning is unclear. */
  readonly unsaidNumbers: readonly string[]
  /** Fields of inputs and options without a docstring. */
  readonly silentFields: readonly string[]
  /** Functions that throw without an `@throws`. */
  readonly unsaidErrors: readonly string[]
  /** Exports that are `any`. */
  readonly untyped: readonly string[]
  /** The number of exports of each subpath. */
  readonly sizes: Readonly<Record<string, number>>
  /** Declaration files with types that TypeScript 5.4 does not know, such as `Buffer<…>`. */
  readonly newerThan54: readonly string[]
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
}

interface Package {
  readonly folder: string
  readonly name: string
  readonly entries: readonly { readonly as: string; readonly file: string }[]
}

/** Reads the built declarations, all in one program. @param folders of packages: `packages/<name>` */
export function publicApis(folders: readonly string[]): PublicApi[] {
  const packages = folders.map(packageIn)
  const options = { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true, types: ['node'] }
  const files = packages.flatMap(({ entries }) => entries.map(({ file }) => file))
  const program = ts.createProgram(files, options)
  return packages.map((each) => publicApiOf(each, program))
}

function packageIn(folder: string): Package {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = Object.entries(exports).flatMap(([subpath, target]) => {
    const types = /"types":"([^"]+)"/.exec(JSON.stringify(target))?.[1]
    return types === undefined ? [] : [{ as: join(name, subpath), file: join(folder, types) }]
  })
  return { folder, name, entries }
}

function publicApiOf({ folder, name, entries }: Package, program: ts.Program): PublicApi {
  const checker = program.getTypeChecker()
  const sections: string[] = []
  const undocumented: string[] = []
  const untyped: string[] = []
  const numbers = new Set<string>()
  const errors = new Set<string>()
  const silentFields: string[] = []
  const sizes: Record<string, number> = {}
  const hasDoc = (symbol: ts.Symbol) =>
    symbol.getDocumentationComment(checker).length > 0 || symbol.getJsDocTags().length > 0
  /** The members of a type that is derived from a schema: its declaration only names the schema. */
  const shapeText = (declaration: ts.Declaration) => {
    if (!ts.isTypeAliasDeclaration(declaration) || !/^Shape</.test(declaration.type.getText())) return undefined
    const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.MultilineObjectLiterals
    const members = checker.typeToTypeNode(
      checker.getTypeAtLocation(declaration.name),
      declaration,
      flags | ts.NodeBuilderFlags.InTypeAlias,
    )
    const alias =
      members && ts.factory.updateTypeAliasDeclaration(declaration, undefined, declaration.name, undefined, members)
    return (
      alias &&
      printer
        .printNode(ts.EmitHint.Unspecified, alias, declaration.getSourceFile())
        .replaceAll(/^( +)/gm, (indent) => indent.slice(indent.length / 2))
    )
  }
  for (const { as, file } of entries) {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} is not there or exports nothing: build first`)
    const exported = checker.getExportsOfModule(module)
    sizes[as] = exported.length
    const lines: string[] = []
    for (const each of exported.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const symbol = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each
      const declarations = symbol.declarations ?? []
      // An exported namespace is a whole file, so its docstring is on the export statement.
      const said = symbol.flags & ts.SymbolFlags.Module ? (each.declarations ?? []).some(isSaid) : hasDoc(symbol)
      if (handedIn(as).test(each.name) && symbol.flags & ts.SymbolFlags.Type)
        for (const field of checker.getDeclaredTypeOfSymbol(symbol).getProperties())
          if (!hasDoc(field)) silentFields.push(`${each.name}.${field.name}`)
      if (!said) undocumented.push(`${as}: ${each.name}`)
      for (const declaration of declarations) {
        for (const number of unsaidNumbers(declaration)) numbers.add(`${symbol.name}: ${number}`)
        if (throwsUnsaid(declaration)) errors.add(symbol.name)
        if (hasAny(declaration)) untyped.push(`${as}: ${each.name}`)
      }
      const isValue = symbol.flags & ts.SymbolFlags.Value
      if (
        isValue &&
        declarations[0] &&
        checker.getTypeOfSymbolAtLocation(symbol, declarations[0]).flags & ts.TypeFlags.Any
      ) {
        untyped.push(`${as}: ${each.name}`)
      }
      lines.push(
        ...declarations.map((declaration) => {
          const text = declarationText(each.name, declaration)
          const [, owner = ''] = /\/packages\/([\w-]+)\//.exec(declaration.getSourceFile().fileName) ?? []
          // The members of another package's declaration are shown only in that package's report.
          if (owner !== basename(folder)) return `${text.replace(/( \{)?\n.*/s, '')} // of @sav/${owner}`
          return shapeText(declaration) ?? text
        }),
      )
    }
    sections.push(`## ${as}\n\n\`\`\`ts\n${withNames(lines).join('\n\n')}\n\`\`\`\n`)
  }
  const newerThan54 = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${folder}/`) && !fileName.includes('/node_modules/'))
    .filter((file) => /\b(Uint8Array|Buffer)</.test(printer.printFile(file)))
    .map(({ fileName }) => fileName)
  const report = `# ${name}\n\n${sections.join('\n')}`
  const unsaid = { undocumented, silentFields, unsaidNumbers: [...numbers], unsaidErrors: [...errors] }
  return { report, ...unsaid, untyped, sizes, newerThan54 }
}

/** Replaces the members of a declaration by the name of another one that has the same members. */
function withNames(declarations: readonly string[]): string[] {
  const shapes = declarations
    .flatMap((text) => {
      const [, name, members] = /^type (\w+) = \{\n(.+\n)\};$/s.exec(text) ?? []
      return name === undefined || members === undefined ? [] : [{ name, members }]
    })
    .toSorted((a, b) => b.members.length - a.members.length)
  return declarations.map((text) =>
    shapes.reduce((told, { name, members }) => {
      if (told.startsWith(`type ${name} =`)) return told
      const extended = told.replace(`= {\n${members}`, `= ${name} & {\n`)
      return ['  ', '    ', '      '].reduce(
        (folded, indent) => folded.replaceAll(`{\n${members.replaceAll(/^/gm, indent).trimEnd()}\n${indent}}`, name),
        extended,
      )
    }, text),
  )
}

/**
 * Matches the names of types that callers pass in. In entries for features nothing matches: features receive objects of
 * these types.
 */
const handedIn = (entry: string) => (entry.endsWith('/feature') ? /^$/ : /(Input|Deps|Options|Settings|Policy)$/)

const isSaid = (declaration: ts.Declaration): boolean =>
  ts.getJSDocCommentsAndTags(ts.findAncestor(declaration, ts.isStatement) ?? declaration).length > 0

const printer = ts.createPrinter({ removeComments: true })

/** The text of a declaration. If it is exported under another name, that name comes first. */
function declarationText(name: string, declaration: ts.Declaration): string {
  // In `export declare const a: number`, the declaration is only `a: number`.
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const printed = printer.printNode(ts.EmitHint.Unspecified, statement, declaration.getSourceFile())
  const plain = printed
    .replace(/^export (declare )?/, '')
    .replaceAll(/^( +)/gm, (indent) => indent.slice(indent.length / 2))
  return new RegExp(`\\b${name}\\b`).test(plain.split('\n')[0] ?? '') ? plain : `// as ${name}\n${plain}`
}
