import type { CompiledQuery } from 'kysely'
import { asSelected } from '../tables/rows.js'
import type { Cells, RowsStatement } from './rows-statement.js'
import type { CompiledStatements } from './statement.js'

/**
 * How transactions of one process share a commit. Many small transactions then pay once for what is most expensive: a
 * disk sync, a round trip, and the wait for a counter. A transaction that is rolled back because of another one runs
 * again with its own commit, and its caller does not notice. A transaction calls these methods in the order below.
 *
 * |            | shares its commit                  | what it runs                             |
 * | ---------- | ---------------------------------- | ---------------------------------------- |
 * | SQLite     | each that waits for the one writer | one after another, each in its savepoint |
 * | PostgreSQL | after `shareCommit`                | beside the others', in batches with them |
 *
 * On both, the deferred rows of all are written with the common commit: on SQLite a creation took a third longer when
 * each transaction wrote its own.
 */
export interface CommitSharing {
  /**
   * Lets the transaction share its commit with any other that calls this. Call it before the first statement, in a
   * transaction that is correct without locks. It may wait for the end of transactions that share a commit under this
   * `key` (`shareCommitAmong`).
   */
  shareCommit(key: string): Promise<unknown> | undefined
  /**
   * Lets the transaction share its commit, but only with transactions of the same `key`. It leaves an already shared
   * commit in which it has no statement yet.
   */
  shareCommitAmong(key: string): void
  /**
   * Combines the queries that transactions make under the same `name` in one turn of the event loop into one statement:
   * the `ask` of the first call receives every `asked`. Resolves to the answer to this `asked`.
   */
  batched<A, R>(name: string, asked: A, ask: Batch<A, R>): Promise<R>
  /**
   * Call it before a lock, which would not exclude the transactions that share the commit.
   * @throws if it already shares one: it then runs again with its own commit
   */
  stopSharing(): void
  /** Writes the rows that others deferred, so that the next statement reads them. Undefined: nothing to wait for. */
  flushDeferred(): Promise<void> | undefined
  /**
   * Leaves rows to the shared commit, which writes the rows of all transactions, one statement for each table. False:
   * it does not accept them.
   */
  deferToCommit(rows: DeferredRows): boolean
}

/** Answers several questions by one statement, in their order. */
export type Batch<A, R> = (asked: readonly A[]) => Promise<R[]>

/** Asks one question as a batch of its own. */
export async function unbatched<A, R>(asked: A, ask: Batch<A, R>): Promise<R> {
  return answerAt(await ask([asked]), 0)
}

function answerAt<R>(answers: readonly R[], place: number): R {
  const answer = answers[place]
  if (answer === undefined) throw new Error('A batch returned fewer answers than it has questions.')
  return answer
}

/** The batches that are being filled, by name. */
export class Batches {
  readonly #gathering = new Map<string, { readonly asked: unknown[]; readonly answers: Promise<unknown[]> }>()

  /** The batch is sent when `turn` resolves. */
  async batched<A, R>(
    name: string,
    asked: A,
    how: { readonly ask: Batch<A, R>; readonly turn: () => Promise<unknown> },
  ): Promise<R> {
    const batch = this.#gathering.get(name) ?? this.#gather(name, how)
    const place = batch.asked.push(asked) - 1
    return answerAt(asSelected<R>(await batch.answers), place)
  }

  #gather<A, R>(name: string, { ask, turn }: { readonly ask: Batch<A, R>; readonly turn: () => Promise<unknown> }) {
    const asked: A[] = []
    const atTurnEnd = async () => {
      await turn()
      this.#gathering.delete(name)
      return ask(asked)
    }
    const batch = { asked, answers: atTurnEnd() }
    this.#gathering.set(name, batch)
    return batch
  }
}

/** For a transaction that shares no commit. */
export const ownCommit: CommitSharing = {
  shareCommit: () => undefined,
  shareCommitAmong() {},
  batched: (_, asked, ask) => unbatched(asked, ask),
  stopSharing() {},
  flushDeferred: () => undefined,
  deferToCommit: () => false,
}

type AnyRows = RowsStatement<string, unknown>

/**
 * Rows that a transaction writes at its end instead of at once. One statement writes those of all that share a commit.
 */
export class DeferredRows {
  readonly #rows = new Map<AnyRows, Cells<string>[]>()

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }

  add(statement: AnyRows, rows: readonly Cells<string>[]): void {
    const deferred = this.#rows.get(statement) ?? []
    this.#rows.set(statement, deferred)
    for (const row of rows) deferred.push(row)
  }

  /** Moves everything to `other`, and is empty after that. */
  moveTo(other: DeferredRows): void {
    for (const [statement, rows] of this.#rows) other.add(statement, rows)
    this.#rows.clear()
  }

  /** The queries that write the rows. */
  queries(statements: CompiledStatements): CompiledQuery[] {
    const runs = [...this.#rows].flatMap(([statement, rows]) => statement.runs(rows, statements.dialect))
    return runs.map(({ statement, values }) => statements.bind(statement, values))
  }
}
