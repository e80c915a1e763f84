import type { HistoryHead } from '../evidence/history-chain.js'
import type { Photo } from '../files/stored-file.js'
import type { Page, Paged } from '../values/paging.js'
import type { CaseOrder, Priorite, Statut, TypeProbleme } from '../values/vocabulary.js'
import type {
  CaseSummary,
  ChainedHistoryEntry,
  Closing,
  Comment,
  HistoryEntry,
  Intervention,
  NewCase,
  NewIntervention,
  SavCase,
} from './case.js'
import type { caseHappenings } from './inputs.js'
import type { Reference } from './reference.js'

/** Every filter that is present must hold. */
export interface CaseFilter {
  readonly statut?: Statut | undefined
  readonly client_id?: number | undefined
  /** Null: nobody has it. */
  readonly poseur_id?: number | null | undefined
  readonly priorite?: Priorite | undefined
  readonly type_probleme?: TypeProbleme | undefined
  /** Instant: `date_creation` is at or after it. */
  readonly depuis?: string | undefined
  /** Instant: `date_modification` is at or after it. */
  readonly modifie_depuis?: string | undefined
  /**
   * As it was typed. Each of its words (`soughtWords`) must be found in what is kept (`wordsKept`) of the reference, the
   * description, the comments, or the client's name, address, town and telephone.
   */
  readonly recherche?: string | undefined
  /** Nothing that is closed. */
  readonly non_clos?: true | undefined
  /** Instant: `date_creation` is before it. */
  readonly avant?: string | undefined
  /** What happened to it in `periode`: closed and still so, reopened, visited for the first time, or after that. */
  readonly survenu?: (typeof caseHappenings)[number] | undefined
  /** Whose visit of it took place in `periode`. */
  readonly visite_par?: number | undefined
  /** For `survenu` and `visite_par`; always where nothing bounds it. */
  readonly periode?: { readonly from: string; readonly until: string } | undefined
  /** As it was typed: each of its words must be found in the name, the address or the town of the client. */
  readonly ville?: string | undefined
  /** As it was typed: it must begin the client's. */
  readonly telephone?: string | undefined
}

/** What a case is exported with: what lists show, and what whoever works with them in a spreadsheet asks for next. */
export interface CaseRow extends CaseSummary {
  readonly type_probleme: TypeProbleme
  readonly date_modification: string
  readonly date_cloture: string | null
  readonly telephone: string | null
  readonly ville: string | null
}

/** Cases with their history and interventions. */
export interface CaseReads {
  /** The highest number of a year, 0 without one, and how many cases were created from one instant until before another. */
  numbered(
    account_id: string,
    year: { readonly annee: number; readonly from: string; readonly before: string },
  ): Promise<{ readonly last: number; readonly before: number }>
  find(account_id: string, id: number): Promise<SavCase | null>
  findByReference(account_id: string, reference: Reference): Promise<SavCase | null>
  /** In the order of their ids, which is that of the events. */
  history(account_id: string, id: number): Promise<HistoryEntry[]>
  /** The same lines in the same order, each with its place in the chain of the case. */
  historyChain(account_id: string, id: number): Promise<ChainedHistoryEntry[]>
  /** The newest first, those before the line `beforeId` (null: all), at most `limit`. */
  comments(
    account_id: string,
    id: number,
    page: { readonly beforeId: number | null; readonly limit: number },
  ): Promise<Comment[]>
  /**
   * By `tri`, newest first without it: `date_creation` descending, then `id` descending. A page past the end is empty with the true total.
   * The cost of the first page does not grow with the number of cases.
   */
  list(account_id: string, filter: CaseFilter, page: Page & { readonly tri?: CaseOrder }): Promise<Paged<CaseSummary>>
  /** The same with more of each, and without counting: at most `limit`. */
  rows(
    account_id: string,
    filter: CaseFilter,
    of: { readonly tri?: CaseOrder; readonly limit: number },
  ): Promise<CaseRow[]>
  /** The newest cases that `list` gives for `recherche`, at most `limit`, and without counting the others. */
  search(account_id: string, query: { readonly recherche: string; readonly limit: number }): Promise<CaseSummary[]>
  /** Every closed case after `afterId`, in the order of ids, at most `limit`: for comparing cases with their evidence. */
  listClosed(
    account_id: string,
    page: { readonly afterId: number; readonly limit: number },
  ): Promise<{ id: number; reference: string }[]>
  /** Ids of the cases after `afterId` whose history tells of a close, in their order, at most `limit`. */
  listEverClosed(account_id: string, page: { readonly afterId: number; readonly limit: number }): Promise<number[]>
  /** Ids of the cases after `afterId` that have an intervention, in their order, at most `limit`. */
  listVisited(account_id: string, page: { readonly afterId: number; readonly limit: number }): Promise<number[]>
  /** In the order of their ids, which is that in which they were told. */
  interventions(account_id: string, id: number): Promise<Intervention[]>
  /** Every case of a client, in the order of ids. */
  ofClient(account_id: string, client_id: number): Promise<{ id: number; reference: string }[]>
}

/** A change of a case: the fields that are present and not undefined replace the stored ones. */
export interface CaseChanges {
  readonly statut?: Statut | undefined
  readonly priorite?: Priorite | undefined
  readonly type_probleme?: TypeProbleme | undefined
  readonly poseur_id?: number | null | undefined
  readonly notes_internes?: string | null | undefined
  readonly photos?: readonly Photo[] | undefined
  readonly sel_notes?: string | null | undefined
  readonly tete_historique?: HistoryHead | null | undefined
  /** Set by a close, null when a reopening takes it away. */
  readonly closing?: Closing | null | undefined
  readonly date_modification: string
  readonly version: number
}

/** Cases are never deleted, and history only grows: an erasure replaces words. */
export interface CaseWrites extends CaseReads {
  /**
   * The next number of the account's references in `annee`, starting at 1. Gapless: taken in this transaction, and
   * given back when it rolls back; a concurrent transaction waits or is retried.
   * @param options `isLong` where much is written after it: then no transaction of another account waits for the commit
   */
  nextNumber(account_id: string, annee: number, options?: { readonly isLong: boolean }): Promise<number>
  /**
   * Resolves to the new id: a positive integer, never used before in this store. The client is looked at in the same step:
   * who is erased beside it waits for this transaction, and finds the case.
   * @throws ClientErasedError when the client is erased already
   */
  insert(newCase: NewCase): Promise<number>
  /** Like `find`, and nobody else changes the case before this transaction ends. */
  lock(account_id: string, id: number): Promise<SavCase | null>
  /** `found` is what `lock` gave. Totals of `list` follow in the same transaction. */
  update(found: SavCase, changes: CaseChanges): Promise<void>
  appendHistory(account_id: string, id: number, entries: readonly ChainedHistoryEntry[]): Promise<void>
  /** Resolves to the new id: a positive integer, never used before in this store. */
  addIntervention(account_id: string, id: number, intervention: NewIntervention): Promise<number>
  /**
   * Replaces everything personal that a case, its history and its interventions hold by `replacement`: description,
   * resolution, reserves, notes, comments, reports of interventions, the signer's name; parts that were used, photos, what a close named of files, and the salts of digests leave it. Searches
   * find nothing of it any more.
   */
  erase(account_id: string, id: number, replacement: string): Promise<void>
}
