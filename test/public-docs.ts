import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript-6'

/** Matches names that end in a unit or have an obvious meaning: ids, ordinals, totals, coordinates. */
const saysItself =
  /(^|_|[a-z])(ms|seconde?s|minutes|annee|24h|bytes|mb|meters|kilometres|persecond|id|version|status|statut|port|sequence|numero|page|limite?|total|count|rows|lat|lon)(_(avant|apres))?$/i
const isTime = /(At|Before|_at)$|^(now|time|debut|fin|du(ree|ration)|travel|timestamp|heartbeat|step)$/
const timeUnit = /\b(milliseconds?|ms|microseconds?|seconds?|minutes?)\b/i

/**
 * The names of exported numbers whose meaning is unclear: times without a unit, and numbers that neither their name nor
 * a docstring explains. The docstring may be on the number, on an enclosing member, or on the export if it names the
 * number.
 */
export function unsaidNumbers(exported: ts.Declaration): string[] {
  // The contract describes the inputs and outputs of schemas.
  if (ts.isVariableDeclaration(exported) || exported.getSourceFile().fileName.includes('.gen.')) return []
  const unsaid: string[] = []
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node)
    if (isMember && isNumber(node.type)) {
      const name = node.name.getText()
      const said = sentencesOn(node, exported)
      if (!saysItself.test(name) && (said === '' || (isTime.test(name) && !timeUnit.test(said)))) unsaid.push(name)
    }
    ts.forEachChild(node, visit)
  }
  visit(exported)
  return unsaid
}

const isNumber = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined &&
  (type.kind === ts.SyntaxKind.NumberKeyword || (ts.isUnionTypeNode(type) && type.types.some(isNumber)))

function sentencesOn(member: ts.PropertySignature | ts.PropertyDeclaration | ts.ParameterDeclaration, whole: ts.Node) {
  const ofWhole = docOf(whole)
  const names = new RegExp(`\`${member.name.getText()}\`|@param ${member.name.getText()}\\b`)
  let said = names.test(ofWhole) ? ofWhole : ''
  for (let node: ts.Node = member; node !== whole; node = node.parent) said += docOf(node)
  return said
}

const docOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => doc.getText())
    .join(' ')

/** Whether an exported function throws an error that it creates, but has no `@throws` for it. */
export function throwsUnsaid(exported: ts.Declaration): boolean {
  if (!ts.isFunctionDeclaration(exported) || ts.getJSDocTags(exported).some(isThrows)) return false
  const path = exported
    .getSourceFile()
    .fileName.replace('/dist/', '/src/')
    .replace(/\.d\.ts$/, '.ts')
  if (!existsSync(path)) return false
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const its = source.statements.find(
    (statement) => ts.isFunctionDeclaration(statement) && statement.name?.text === exported.name?.text,
  )
  const throwsOne = (node: ts.Node): boolean =>
    (ts.isThrowStatement(node) && ts.isNewExpression(node.expression)) ||
    (!ts.isFunctionLike(node) && ts.forEachChild(node, throwsOne) === true)
  return its !== undefined && ts.forEachChild(its, throwsOne) === true
}

const isThrows = (tag: ts.JSDocTag): boolean => tag.tagName.text === 'throws'

/** Whether a declaration contains `any`. */
export const hasAny = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.AnyKeyword || ts.forEachChild(node, hasAny) === true
