import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-6'
import { failures } from '../src/api/failures.js'

const packages = join(import.meta.dirname, '..', '..')

/** Where the sentences of refusals stand; the rest is read by operators, receivers or customers. */
const sources = [
  'core/src/*.ts',
  'core/src/{access,cases,delivery,directory,files,planning,users,webhooks}/**/*.ts',
  'http-node/src/api/*.ts',
  'http-node/src/sign-in/*.ts',
  'http-node/src/routes/{session,evidence,rdv-pages}.ts',
]

/** Texts that no caller of the API reads: headers, examples, what the history keeps, how a delivery failed. */
const notAnswered = [
  /^answered \{\}$/,
  /^(Accept,|Path=|text\/|application\/|bytes |bearer|default-src)|SameSite=/,
  /SAV-2026|found 5\)$|^(Claire|Cuisines) Petit$| de l’Exemple, | Exemple$/,
  /[éèà]|^(dessin|envoi) du rapport$|^sav |^rdv_/,
  /^(It|The page|The person|Look at|Everything|Entries,|What the check|A secret) .*\.$|^The page\.$|^(call failed|The worker does not answer\.)$/,
  /^(disabled by hand|endpoint removed|a delivery ended|five days of|no end within|the handler (takes|threw))/,
]

/** Whoever gets these is no caller. */
const faults = /^(Error|TypeError|RangeError|NoLetter)$/

/**
 * The sentences that the API may answer with (`error`, `detail`, `details[].message`), each a template in which `{}` stands for
 * what is filled in: read from the sources, so that a new one is here by itself.
 */
export function sentences(): string[] {
  const found = new Set<string>(Object.values(failures).map(({ error }) => error))
  for (const file of globSync(sources, { cwd: packages })) {
    if (/\.(test|gen)\.ts$/.test(file)) continue
    const text = readFileSync(join(packages, file), 'utf8')
    for (const sentence of templatesIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))) {
      if (/[a-z]{2}.* |^required$/.test(sentence) && !notAnswered.some((other) => other.test(sentence)))
        found.add(sentence)
    }
  }
  return [...found].toSorted()
}

function* templatesIn(node: ts.Node): Generator<string> {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
  if (ts.isNewExpression(node) && faults.test(node.expression.getText())) return
  if (ts.isPropertyAssignment(node) && /^(description|summary|example|name)$/.test(node.name.getText())) return
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) yield node.text
  if (ts.isTemplateExpression(node))
    yield node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  for (const child of children) yield* templatesIn(child)
}
