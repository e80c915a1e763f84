import { type Actor, ClientErasedError, IdempotencyMismatchError, NotFoundError, type Write } from '@sav/core'
import {
  corrected,
  found as foundOf,
  happenedAt,
  historyEntry,
  preparedWrite,
  type Reads,
  recordChange,
  toInstant,
} from '@sav/core/feature'
import type { Account, Clock, SavCase, Transaction } from '@sav/core/ports'
import {
  type ApplyDeps,
  applyChange,
  decideChange,
  followUp,
  type OnSiteReport,
  personsIn,
  planningStore,
  type Rdv,
  type RdvChange,
  rdvView,
} from '@sav/planning/feature'
import { constatText, leftByOffice } from './constat-text.js'
import type { AnsweredRdv, FieldConstat, FieldKind } from './fact.js'
import type { FactDigests } from './fact-digests.js'
import { fieldStore } from './field-store.js'
import type { Claim } from './inputs.js'
import { type FieldReport, isRefused, type Outcome, outcomeOf } from './outcome.js'
import { isOwn, mayTell, type Reach } from './own-visits.js'
import { auteurOf } from './uploads.js'

export interface TellingDeps extends ApplyDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly factDigests: FactDigests
}

/** The visit, the installer, and the key by which a repetition is recognised. */
export interface FieldVisitTarget {
  readonly rdv_id: number
  readonly reach: Reach
  /** The key of the call. Null: the digest of the content is used instead. */
  readonly cle: string | null
}

/** A visit, locked with its case, when a report arrives. */
export interface Here {
  readonly actor: Actor
  readonly account: Account
  readonly rdv: Rdv
  readonly dossier: SavCase | null
  /** When the reported event happened, by the phone's corrected clock. */
  readonly survenu_a: string
  /** The instant at which the report arrived. */
  readonly at: string
  readonly onSite: OnSiteReport
  readonly outcome: Outcome
}

/** Findings in addition to those of the outcome. */
export type Findings = Partial<Pick<FieldConstat, 'codes' | 'alternatives' | 'souhait'>>

interface ToldFact<Preparation> {
  readonly nature: Exclude<FieldKind, 'ajout'>
  /** The raw input, by which a repetition is recognised. */
  readonly input: unknown
  readonly claim: Claim
  /** Checks the report against the current visit, and does the work that needs more than the transaction. */
  readonly prepare: (rdv: Rdv) => Promise<{ readonly told: Omit<FieldReport, 'nature' | 'version'> } & Preparation>
  /** The people that the report may assign. They are locked before the visit. */
  readonly personsOf?: (prepared: Preparation) => number[]
  readonly does: (tx: Transaction, here: Here, prepared: Preparation) => Promise<Findings>
}

/**
 * Records a report from a phone once, whatever the office did meanwhile. The office gets a finding if the two conflict.
 * All writers lock in the same order: the case, people, the visit, its client.
 * @throws NotFoundError for another installer's visit, ClientErasedError, IdempotencyMismatchError
 */
export function telling<Preparation>(
  deps: TellingDeps,
  actor: Actor,
  { rdv_id, reach, cle }: FieldVisitTarget,
  { nature, input, claim, prepare, personsOf, does }: ToldFact<Preparation>,
): Write<AnsweredRdv> {
  const { reads, clock, factDigests } = deps
  const { account_id } = actor
  const content = [nature, rdv_id, input]
  const empreinte = factDigests.of(content)
  const name = { ...auteurOf(actor), cle: cle ?? empreinte }
  const survenu_a = corrected(claim)
  /** @throws NotFoundError before revealing anything about the visit */
  const own = (rdv: Rdv | null, at: string): Rdv => {
    if (rdv === null || !mayTell(rdv, reach, happenedAt(survenu_a, at))) throw new NotFoundError('rdv', rdv_id)
    return rdv
  }
  return preparedWrite({
    async prepare() {
      const before = own(await reads.of(planningStore).find(account_id, rdv_id), toInstant(clock.now()))
      const prepared = await prepare(before)
      const account = foundOf(await reads.accounts.find(account_id), 'account', account_id)
      return { ...prepared, sav_id: before.sav?.id ?? null, account }
    },
    async write(tx, prepared) {
      const { told: report, account, sav_id } = prepared
      const at = toInstant(clock.now())
      const dossier = sav_id === null ? null : await tx.cases.lock(account_id, sav_id)
      for (const poseur_id of personsOf?.(prepared) ?? []) await personsIn(tx, account_id, { poseur_id })
      const rdv = own(await tx.of(planningStore).lock(account_id, rdv_id), at)
      const client = foundOf(await tx.directory.findClient(account_id, rdv.client.id), 'client', rdv.client.id)

      const told = { ...report, nature, version: claim.version }
      const found = { rdv, dossier, reach, isErased: client.efface_le !== null }
      if (isRefused(told, found)) throw new ClientErasedError(client.id, 'a visit may still be ended without any text.')
      const known = await tx.of(fieldStore).fact(account_id, name.auteur_id, name.cle)
      if (known !== null && !factDigests.mayBe(known.empreinte, content)) throw new IdempotencyMismatchError()
      if (known !== null) return { ...rdvView(rdv), constat: known.constat }

      const poseur = await tellerOf(tx, rdv, reach)
      const onSite = { survenu_a, poseur }
      const here = { actor, account, rdv, dossier, survenu_a, at, onSite, outcome: outcomeOf(told, found) }
      const constat = constatOf(here, told, await does(tx, here, prepared))
      const about = { rdv_id, sav_id, client_id: client.id, nature, survenu_a, date: at }
      const id = await tx.of(fieldStore).addFact({ ...name, empreinte, ...about, constat })
      if (constat !== null) await tellOffice(tx, here, { id, nature, constat }, deps)
      const now = foundOf(await tx.of(planningStore).find(account_id, rdv_id), 'rdv', rdv_id)
      return { ...rdvView(now), constat }
    },
  })
}

/**
 * The installer who did what is reported: the visit's installer or, if the visit was reassigned meanwhile, the one who
 * reports it.
 */
async function tellerOf(tx: Transaction, rdv: Rdv, reach: Reach): Promise<Rdv['poseur']> {
  if (reach === 'all' || isOwn(rdv, reach)) return rdv.poseur
  const { id, nom } = foundOf(await tx.directory.findPoseur(rdv.account_id, reach.poseur_id), 'poseur', reach.poseur_id)
  return { id, nom }
}

function constatOf(
  { rdv, dossier, outcome }: Here,
  { vu }: Pick<FieldReport, 'vu'>,
  { codes: more = [], alternatives = [], souhait = null }: Findings,
): FieldConstat | null {
  const codes = [...outcome.codes, ...more]
  if (codes.length === 0) return null
  const differs = codes.includes('description_changee') && vu !== null && dossier !== null
  return {
    codes,
    rdv: codes.some((code) => code.startsWith('rdv_')) ? leftByOffice(rdv) : null,
    description: differs ? { signee: vu, actuelle: dossier.description } : null,
    alternatives: [...alternatives],
    souhait,
  }
}

/** Adds the finding of a report to the follow-ups and to the history of the case. */
async function tellOffice(
  tx: Transaction,
  { actor, rdv, dossier, survenu_a, at }: Here,
  { id, nature, constat }: { readonly id: number; readonly nature: FieldKind; readonly constat: FieldConstat },
  { calendarOf, random }: TellingDeps,
): Promise<void> {
  const texte = constatText(constat, { nature, survenu_a }, calendarOf(rdv.fuseau))
  await followUp(tx, rdv, { type: 'terrain', at, texte, cause: id })
  const now = dossier && (await tx.cases.lock(rdv.account_id, dossier.id))
  if (now === null) return
  const change = { champ: 'terrain', ancien: null, nouveau: rdv.id }
  const lines = [historyEntry(actor, at, 'terrain', { change, commentaire: texte })]
  await recordChange(tx, random, now, { date_modification: at, lines })
}

/** Changes the visit as `decideChange` allows. Resolves to the changed case. */
export async function changeHere(
  tx: Transaction,
  { actor, account, rdv, dossier, at, onSite }: Here,
  change: RdvChange,
  deps: ApplyDeps,
): Promise<SavCase | null> {
  const time = { debut: rdv.debut, fin: rdv.fin }
  const decision = decideChange(rdv, change, { actor, persons: {}, time, now: at })
  await applyChange(tx, { actor, account, before: rdv, dossier, decision, prevenir: true, at, onSite }, deps)
  return dossier && (await tx.cases.lock(account.id, dossier.id))
}

/** The notes of a visit without a case, with a text of the report appended, even beyond the limit for callers. */
export const notedBy = ({ notes }: Pick<Rdv, 'notes'>, said: string): string => [notes, said].filter(Boolean).join('\n')
