import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesOf } from '../scripts/working-tree.mjs'

const root = join(import.meta.dirname, '..')

/** Words that read foreign, each with a plain wording. */
const foreign: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(of|for|to|by) who\b/i, 'name the person: "for contributors", "by the caller"'],
  [
    /(?:^|[.:;] |\/\*\* |\/\/ |\* |['"`])Who (cannot|may|comes|has|is|asks|does|goes)\b(?!.*\?)/,
    '"A caller who may …"',
  ],
  [/\bwhoever\b/i, '"anyone who", "the caller", "the process that"'],
  [/\banew\b/i, '"again"'],
  [/\b(tells?|told|telling) of\b/i, '"reports", "describes", "contains"'],
  [/\b(is|are|was|were|be|been|being|not) told\b/i, '"gets", "learns", "is reported", "is refused with"'],
  [/\bas well as (it|they|we) can\b/i, 'say what it does'],
  [/\bvouch(es|ed)?\b/i, '"confirms", "verifies"'],
  [/\b(is|are|be|being) believed\b|\bbelieves (what|nothing)\b/i, '"is accepted", "is plausible"'],
  [/\bwhat became of\b/i, '"the outcome of"'],
  [/\bin the place of\b/i, '"instead of"'],
  [/\bwhere there (is|are) (one|none)\b/i, '"if there is one"'],
  [/\bwhat (is|was) to be (done|dealt|sent|told)\b/i, '"follow-ups", "the outbox"'],
]

const exceptions: readonly { readonly file: RegExp; readonly words: RegExp; readonly reason: string }[] = [
  { file: /^test\/(words|docs)\.test\.ts$/, words: /.*/, reason: 'these lists themselves' },
  { file: /\.ts$/, words: /\bfor \(const told of /, reason: 'code' },
]

const files = filesOf(root).filter(
  (file) => /\.(tsx?|mjs|mts|md)$/.test(file) && !/\.gen\.ts$|^etc\/|CHANGELOG/.test(file),
)

it('comments, test names, messages and pages contain none of the foreign wordings', () => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        foreign
          .filter(([pattern]) => pattern.test(line))
          .filter(() => !exceptions.some(({ file: of, words }) => of.test(file) && words.test(line)))
          .map(([, instead]) => `${file}:${at + 1}: ${line.trim()} → ${instead}`),
      ),
  )
  expect(found).toEqual([])
})
