import type { Changes } from '../directory/directory.js'
import type { NewestFound } from '../directory/directory-store.js'
import type { HistoryHead } from '../evidence/history-chain.js'
import type { Photo } from '../files/stored-file.js'
import type { Page, Paged } from '../values/paging.js'
import type { CaseOrder, Priorite, Statut, TypeProbleme } from '../values/vocabulary.js'
import type {
  CaseClose,
  CaseSummary,
  ChainedHistoryEntry,
  Comment,
  HistoryEntry,
  Intervention,
  NewCase,
  NewIntervention,
  SavCase,
} from './case.js'
import type { CaseFieldValues } from './case-fields.js'
import type { caseHappenings } from './inputs.js'
import type { Reference } from './reference.js'

/** Filters, all of which must match. */
export interface CaseFilter {
  readonly statut?: Statut | undefined
  readonly client_id?: number | undefined
  /** Only cases of this poseur; null: only cases without one. */
  readonly poseur_id?: number | null | undefined
  readonly priorite?: Priorite | undefined
  readonly type_probleme?: TypeProbleme | undefined
  /** Only cases created at or after this instant. */
  readonly depuis?: string | undefined
  /** Only cases last changed (`date_modification`) at or after this instant. */
  readonly modifie_depuis?: string | undefined
  /**
   * The text as typed. Each of its words (`soughtWords`) must be in the indexed words (`wordsKept`) of the reference,
   * the description, the comments, or the client's name, company, address, town and telephone.
   */
  readonly recherche?: string | undefined
  /** Limits `recherche` and `ville` to the client's name and town, which every reader of cases sees. */
  readonly withoutContact?: true | undefined
  /** Only cases that are not closed. */
  readonly non_clos?: true | undefined
  /** Only cases created before this instant. */
  readonly avant?: string | undefined
  /**
   * What happened to the case within `periode`: closed and not reopened since, reopened, first visit, or a further
   * visit.
   */
  readonly survenu?: (typeof caseHappenings)[number] | undefined
  /** Only cases that this poseur visited within `periode`. */
  readonly visite_par?: number | undefined
  /** The period of `survenu` and `visite_par`; by default all time. */
  readonly periode?: { readonly from: string; readonly until: string } | undefined
  /** The text as typed: each of its words must be in the client's name, address or town. */
  readonly ville?: string | undefined
  /** The text as typed: the client's number must begin with it. */
  readonly telephone?: string | undefined
}

/** A row of the export: the fields of lists, and others for spreadsheets. */
export interface CaseRow extends CaseSummary {
  readonly type_probleme: TypeProbleme
  readonly date_modification: string
  readonly date_cloture: string | null
  /** The client's company, if it is one. */
  readonly raison_sociale: string | null
}

/** Cases with their history and interventions. */
export interface CaseReads {
  /**
   * The highest reference number of a year (0 without cases), and the number of cases created from the instant `from`
   * until before the instant `before`.
   */
  numbered(
    account_id: string,
    year: { readonly annee: number; readonly from: string; readonly before: string },
  ): Promise<{ readonly last: number; readonly before: number }>
  find(account_id: string, id: number): Promise<SavCase | null>
  findByReference(account_id: string, reference: Reference): Promise<SavCase | null>
  /** The lines of the history by id, which is the order of the events. */
  history(account_id: string, id: number): Promise<HistoryEntry[]>
  /** The lines of `history` in the same order, each with its position in the history's chain. */
  historyChain(account_id: string, id: number): Promise<ChainedHistoryEntry[]>
  /** The comments of a case, newest first, at most `limit`. `beforeId`: only those before this line; null: all. */
  comments(
    account_id: string,
    id: number,
    page: { readonly beforeId: number | null; readonly limit: number },
  ): Promise<Comment[]>
  /**
   * Ordered by `tri` (default: newest first), then `id` descending; a position is the value of `tri` and the id. A page
   * past the end is empty, with the true total. The cost of the first page does not grow with the number of cases.
   */
  list(account_id: string, filter: CaseFilter, page: Page & { readonly tri?: CaseOrder }): Promise<Paged<CaseSummary>>
  /** The ids of the cases that `list` returns, in the same order, at most `limit`, without a total. */
  ids(
    account_id: string,
    filter: CaseFilter,
    of: { readonly tri?: CaseOrder; readonly limit: number },
  ): Promise<number[]>
  /** Cases as export rows, in the order of the given ids. */
  rows(account_id: string, ids: readonly number[]): Promise<CaseRow[]>
  /** The newest cases that `list` returns for `recherche`, at most `limit`, without a total. */
  search(account_id: string, query: NewestFound): Promise<CaseSummary[]>
  /** Closed cases after `afterId`, by id, at most `limit`, to compare them with their evidence. */
  listClosed(
    account_id: string,
    page: { readonly afterId: number; readonly limit: number },
  ): Promise<{ id: number; reference: string }[]>
  /** Ids of the cases after `afterId` that were ever closed, in order, at most `limit`. */
  listEverClosed(account_id: string, page: { readonly afterId: number; readonly limit: number }): Promise<number[]>
  /** Ids of the cases after `afterId` that have an intervention, in order, at most `limit`. */
  listVisited(account_id: string, page: { readonly afterId: number; readonly limit: number }): Promise<number[]>
  /** The interventions of a case by id, which is the order of arrival. */
  interventions(account_id: string, id: number): Promise<Intervention[]>
  /** Every case of a client, by id. */
  ofClient(account_id: string, client_id: number): Promise<{ id: number; reference: string }[]>
}

/** A change of a case: defined fields replace the stored ones. */
export interface CaseChanges extends Changes<CaseFieldValues> {
  readonly statut?: Statut | undefined
  readonly poseur_id?: number | null | undefined
  readonly photos?: readonly Photo[] | undefined
  readonly sel_notes?: string | null | undefined
  readonly tete_historique?: HistoryHead | undefined
  /** The fields of a close; null when a reopening empties them. */
  readonly closing?: CaseClose | null | undefined
  readonly date_modification: string
  readonly version: number
}

/** Cases are never deleted, and history only grows: an erasure replaces text. */
export interface CaseWrites extends CaseReads {
  /**
   * The next number of the account's references in `annee`, starting at 1. There are no gaps: the number is taken in
   * this transaction, and a rollback returns it. A concurrent transaction waits or is retried.
   * @param options `isLong`: many writes follow, so no transaction of another account should wait for this commit
   */
  nextNumber(account_id: string, annee: number, options?: { readonly isLong: boolean }): Promise<number>
  /**
   * Resolves to the new id: a positive integer, never used before in this store. The client is checked in the same
   * step: a concurrent erasure waits for this transaction, and then finds the case.
   * @throws ClientErasedError when the client is already erased
   */
  insert(newCase: NewCase): Promise<number>
  /** Like `find`, and locks the case until this transaction ends. */
  lock(account_id: string, id: number): Promise<SavCase | null>
  /** `found` is what `lock` returned. The totals of `list` change in the same transaction. */
  update(found: SavCase, changes: CaseChanges): Promise<void>
  appendHistory(account_id: string, id: number, entries: readonly ChainedHistoryEntry[]): Promise<void>
  /** Resolves to the new id: a positive integer, never used before in this store. */
  addIntervention(account_id: string, id: number, intervention: NewIntervention): Promise<number>
  /**
   * Replaces all personal text of a case, its history and its interventions by `replacement`: description, resolution,
   * reserves, notes, comments, reports, the signer's name. Deletes used parts, photos, the files of a close, and the
   * salts of digests. Searches no longer find any of it.
   */
  erase(account_id: string, id: number, replacement: string): Promise<void>
}
