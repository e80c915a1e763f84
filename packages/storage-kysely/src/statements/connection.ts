import type { CompiledQuery, QueryResult } from 'kysely'
import { asSelected } from '../tables/rows.js'
import type { DeferredRows } from './deferred-rows.js'

/** Whatever runs compiled queries: a connection, a transaction, a whole Kysely. */
export interface Executor {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
}

/** What a session runs its statements on. Outside a transaction it is `withoutTransaction` with an executor. */
export interface Connection extends Executor {
  readonly isTransaction: boolean
  /** False once the transaction has been committed or rolled back. */
  readonly isOpen: boolean
  /** Whether a statement that fails fails the whole transaction, at the latest with its commit: nobody has to wait for each. */
  readonly failsAsWhole: boolean
  readonly sharing: CommitSharing
}

/** Asks the database for what callers ask for, and resolves to an answer for each, in their order. */
export type AskTogether<A, R> = (asked: readonly A[]) => Promise<R[]>

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
  together<A, R>(name: string, asked: A, ask: AskTogether<A, R>): Promise<R>
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

/** For one caller alone. */
export async function askAlone<A, R>(asked: A, ask: AskTogether<A, R>): Promise<R> {
  return answerIn(await ask([asked]), 0)
}

/** @throws when there is no answer to what was asked at that place */
export function answerIn<R>(answers: readonly R[], place: number): R {
  const answer = answers[place]
  if (answer === undefined) throw new Error('A question to the database was not answered.')
  return answer
}

/** Asks for what was asked for since the last turn of the event loop, by name. */
export class Questions {
  readonly #asked = new Map<string, { readonly asked: unknown[]; readonly answers: Promise<unknown[]> }>()

  /** `turn` ends when nobody else can ask any more. */
  async together<A, R>(
    name: string,
    asked: A,
    { ask, turn }: { readonly ask: AskTogether<A, R>; readonly turn: () => Promise<unknown> },
  ): Promise<R> {
    const question = this.#asked.get(name) ?? this.#question(name, { ask, turn })
    const place = question.asked.push(asked) - 1
    return answerIn(asSelected<R>(await question.answers), place)
  }

  #question<A, R>(
    name: string,
    { ask, turn }: { readonly ask: AskTogether<A, R>; readonly turn: () => Promise<unknown> },
  ) {
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
  together: (_, asked, ask) => askAlone(asked, ask),
  stopSharing() {},
  flushDeferred: () => undefined,
  deferToCommit: () => false,
}

export const withoutTransaction = {
  isTransaction: false,
  isOpen: true,
  failsAsWhole: false,
  sharing: ownCommit,
} as const

/** What is said to whoever goes on with a transaction after its end. */
export const hasEnded = () => new Error('This transaction has ended: nothing can be read or written through it.')

/** What is said to whoever commits a transaction while a call inside it is under way. */
export const wasNotAwaited = () =>
  new Error('A call inside this transaction was not awaited: nothing of it is committed.')
