import type { CompiledQuery } from 'kysely'
import { asSelected } from '../tables/rows.js'
import type { Cells, RowsStatement } from './rows-statement.js'
import type { CompiledStatements } from './statement.js'

/**
 * How transactions of one process share a commit: what costs most of a small one (a sync of the disk, a round trip, the
 * wait for a row that all of them change) is then paid once for many. Whoever is rolled back because of another one that
 * shares its commit runs again, with a commit of its own: callers notice nothing.
 *
 * On PostgreSQL only those share a commit that say so (postgres/commit-groups.ts). On SQLite all who wait for the one
 * writer do, each in a savepoint; who says so may defer rows to the commit as well (sqlite/commit-groups.ts).
 *
 * A transaction calls these in the order in which they stand here.
 */
export interface CommitSharing {
  /**
   * From now on the transaction may share its commit with any others that say so. To be called before its first statement,
   * by one that is right beside the others without locks. Undefined: nothing to wait for; else until those have ended that
   * share a commit among that key.
   */
  shareCommit(key: string): Promise<unknown> | undefined
  /**
   * Like it, with those alone that give the same key; and leaves others with which it shares the commit already, where it has
   * written nothing.
   */
  shareCommitAmong(key: string): void
  /**
   * What those who share the commit ask for under the same name, in the same turn of the event loop, goes to the database at
   * once: `ask` is called with all of it, that of whoever asked first. Resolves to the answer to `asked`.
   */
  batched<A, R>(name: string, asked: A, ask: Batch<A, R>): Promise<R>
  /**
   * Ends the sharing, as a lock follows that would not keep out those who share the commit.
   * @throws where it is too late for that: the transaction then runs again, with a commit of its own
   */
  stopSharing(): void
  /** Writes what others have deferred to the shared commit, so that the next statement reads it. Undefined: nothing to wait for. */
  flushDeferred(): Promise<void> | undefined
  /** Leaves the rows to the shared commit, which writes those of all at once. False: the transaction has to write them. */
  deferToCommit(rows: DeferredRows): boolean
}

/** Asks the database for what callers ask for, and resolves to an answer for each, in their order. */
export type Batch<A, R> = (asked: readonly A[]) => Promise<R[]>

/** For one caller alone. */
export async function unbatched<A, R>(asked: A, ask: Batch<A, R>): Promise<R> {
  return answerIn(await ask([asked]), 0)
}

/** @throws when there is no answer to what was asked at that place */
export function answerIn<R>(answers: readonly R[], place: number): R {
  const answer = answers[place]
  if (answer === undefined) throw new Error('A question to the database was not answered.')
  return answer
}

/** Asks for what was asked for since the last turn of the event loop, by name. */
export class Batches {
  readonly #asked = new Map<string, { readonly asked: unknown[]; readonly answers: Promise<unknown[]> }>()

  /** `turn` ends when nobody else can ask any more. */
  async batched<A, R>(
    name: string,
    asked: A,
    { ask, turn }: { readonly ask: Batch<A, R>; readonly turn: () => Promise<unknown> },
  ): Promise<R> {
    const question = this.#asked.get(name) ?? this.#question(name, { ask, turn })
    const place = question.asked.push(asked) - 1
    return answerIn(asSelected<R>(await question.answers), place)
  }

  #question<A, R>(name: string, { ask, turn }: { readonly ask: Batch<A, R>; readonly turn: () => Promise<unknown> }) {
    const asked: A[] = []
    const atTurnEnd = async () => {
      await turn()
      this.#asked.delete(name)
      return ask(asked)
    }
    const question = { asked, answers: atTurnEnd() }
    this.#asked.set(name, question)
    return question
  }
}

/** For whoever shares no commit. */
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
 * Rows that a transaction writes at its end instead of at once. Those for one statement are written together, whichever
 * of the transactions that share a commit they come from.
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

  /** Adds everything here to `other`, and is empty then. */
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
