import { useState } from 'preact/hooks'
import { type Question, type ReadState, useRead } from '../api/read.js'
import { words } from '../words/words.js'
import { saidOf } from './answered.js'
import { sayFailed } from './notices.js'

/** Some rows of a list that is read by cursor. A `curseur` of null means that there are no more rows. */
interface Stretch<Row> {
  readonly data: readonly Row[]
  readonly pagination: { readonly curseur: string | null }
}

interface Rows<Row> {
  readonly reading: ReadState<Stretch<Row>>
  /** The rows, each once, in the order of the list. */
  readonly rows: readonly Row[]
  /** Reads more rows; null if all are there. */
  readonly more: (() => Promise<void>) | null
}

/**
 * The newest rows of a list, requested again when something changed, and later ones on demand. New rows do not remove
 * shown ones until another list is requested.
 */
export function useRows<Query extends { readonly curseur?: string | undefined }, Row>(
  question: Question<Query, Stretch<Row>>,
  asked: Query,
  idOf: (row: Row) => string,
): Rows<Row> {
  const reading = useRead(question, asked)
  const key = JSON.stringify(asked)
  const [older, setOlder] = useState<(Stretch<Row> & { readonly key: string }) | null>(null)
  const newest = reading.value ?? { data: [], pagination: { curseur: null } }
  const kept = older?.key === key ? older : null
  const isKnown = new Set(newest.data.map(idOf))
  const rows = [...newest.data, ...(kept?.data ?? []).filter((row) => !isKnown.has(idOf(row)))]
  const { curseur } = (kept ?? newest).pagination

  const readOn = async (from: string) => {
    try {
      const { data, pagination } = await question.ask({ ...asked, curseur: from }, new AbortController().signal)
      setOlder({ key, data: [...rows, ...data], pagination })
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  return { reading, rows, more: curseur === null ? null : () => readOn(curseur) }
}

export function MoreRows({ more }: Pick<Rows<unknown>, 'more'>) {
  if (more === null) return null
  return (
    <div class="pages">
      <button type="button" class="button small" onClick={more}>
        {words.value.pages.more}
      </button>
    </div>
  )
}
