import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Named } from './statement.js'

/** The words of a search as patterns, bound as `mot_0`, `mot_1` and so on. */
export type Words = { readonly [mot: `mot_${number}`]: string }

/** `recherche` is folded text. */
export function bindWords(recherche = ''): Words {
  const words = recherche.split(' ').filter((word) => word !== '')
  return Object.fromEntries(words.map((word, index) => [`mot_${index}`, `%${word.replace(/[\\%_]/g, '\\$&')}%`]))
}

/** Every bound word occurs in one of `texts`, which are folded. */
export function containsWords(
  texts: readonly Expression<string>[],
  bound: ReadonlySet<string>,
  p: Named<Words>,
): RawBuilder<SqlBool> {
  const occurs = (name: `mot_${number}`) => {
    const inText = texts.map((text) => sql`${text} like ${p(name)} escape '\\'`)
    return sql`(${sql.join(inText, sql` or `)})`
  }
  const words = [...bound].filter((name): name is `mot_${number}` => name.startsWith('mot_'))
  return words.length === 0 ? sql`1 = 1` : sql`${sql.join(words.map(occurs), sql` and `)}`
}
