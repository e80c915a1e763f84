// Refuses regular expressions that can take more than linear time, since hostile text could block the process with
// them. Checks every literal and every `new RegExp` of the packages. An automaton does this, so the result does not
// vary.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check } from 'recheck'
import ts from 'typescript-6'

/** Files whose expressions are not checked, each with its reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['packages/command/src/process/failures.ts', 'it reads our own sentences, with text that the same user typed'],
  ['packages/command/src/syntax/wrong-use.ts', 'it reads messages of commander, with text that the same user typed'],
  ['packages/console/app/planning/advice.ts', 'it reads sentences of our own service, with names of bounded length'],
  ['packages/console/terrain/screens/setup.tsx', 'it has a back-reference to the first digit of a PIN'],
  ['packages/core/src/delivery/letter-access.ts', 'it only reads texts of at most 2,000 characters'],
  ['packages/core/src/values/search-words.ts', 'its repetition counts take the automaton minutes'],
  ['packages/reception-report/src/french.ts', 'its repetition counts take the automaton minutes'],
])

interface Found {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

const root = join(import.meta.dirname, '..')
const files = globSync('packages/{*/src,console/app,console/terrain}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(test|gen)\.tsx?$/.test(file),
)

function expressionsIn(file: string): Found[] {
  const text = readFileSync(join(root, file), 'utf8')
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    const line = parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ file, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    if (ts.isNewExpression(node) && node.expression.getText(parsed) === 'RegExp') {
      const [pattern, flags] = node.arguments ?? []
      const source = patternOf(pattern)
      if (source === null) throw new Error(`${file}:${line}: new RegExp without a literal cannot be checked.`)
      found.push({ file, line, source, flags: flags && ts.isStringLiteral(flags) ? flags.text : '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

/** The text of a pattern. In a template, the letter x replaces each inserted value. Null if there is no literal. */
function patternOf(node: ts.Node | undefined): string | null {
  if (node === undefined) return ''
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')
}

/** Splits look-arounds off as separate expressions, since the automaton does not support them. */
function withoutLookAround(source: string): string[] {
  const inner: string[] = []
  let outer = ''
  for (let at = 0; at < source.length; ) {
    const end = /^\(\?<?[=!]/.test(source.slice(at, at + 4)) ? endOfGroup(source, at) : endOfUnit(source, at)
    const unit = source.slice(at, end)
    const [opening] = /^\(\?<?[=!]/.exec(unit) ?? []
    if (opening === undefined) outer += unit
    // A look-around is tried at one position only, so its expression gets an anchor.
    else inner.push(...withoutLookAround(`^(?:${unit.slice(opening.length, -1)})`))
    at = end
  }
  return [outer, ...inner]
}

/** The index after the character, escape or class that begins at `at`. */
function endOfUnit(source: string, at: number): number {
  if (source[at] === '\\') return at + 2
  if (source[at] !== '[') return at + 1
  let end = at + 1
  while (source[end] !== ']') end = source[end] === '\\' ? end + 2 : end + 1
  return end + 1
}

function endOfGroup(source: string, at: number): number {
  let depth = 0
  let end = at
  do {
    if (source[end] === '(') depth += 1
    if (source[end] === ')') depth -= 1
    end = endOfUnit(source, end)
  } while (depth > 0)
  return end
}

/** The cache of expressions that were found safe earlier: checking all of them takes half a minute. */
const kept = join(root, 'node_modules/.cache/regular-expressions.json')
const safe = new Set<string>(readKept())

function readKept(): string[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return []
  }
}

/** Why an expression is refused. Null if its time grows at most linearly with the text. */
async function problemOf(source: string, flags: string): Promise<string | null> {
  const key = `/${source}/${flags}`
  if (safe.has(key)) return null
  const found = await check(source, flags, { checker: 'automaton', maxRepeatCount: 1000, timeout: 60_000 })
  if (found.status === 'safe') safe.add(key)
  if (found.status === 'vulnerable') return `${found.complexity.summary}, as for ${found.attack.pattern}`
  return found.status === 'safe' ? null : `the check failed: ${JSON.stringify(found.error)}`
}

const waiting = files.filter((file) => !exceptions.has(file)).flatMap(expressionsIn)
const problems: string[] = []
const work = async () => {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const part of withoutLookAround(next.source)) {
      const problem = await problemOf(part, next.flags.replace(/[dgy]/g, ''))
      if (problem !== null) problems.push(`${next.file}:${next.line} /${part}/: ${problem}`)
    }
}
await Promise.all([work(), work()])
mkdirSync(dirname(kept), { recursive: true })
writeFileSync(kept, JSON.stringify([...safe]))

const stale = [...exceptions.keys()].filter((file) => !files.includes(file))
problems.push(...stale.map((file) => `${file} does not exist: remove it from the exceptions.`))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
