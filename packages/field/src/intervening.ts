import {
  type Actor,
  type FieldProblem,
  SavError,
  SlotTakenError,
  UnavailableError,
  ValidationError,
  type Write,
} from '@sav/core'
import {
  addComments,
  addendumLines,
  appendPhotos,
  type CaseCloseRequest,
  type CloseDeps,
  closeIn,
  found as foundOf,
  historyEntry,
  type OnSiteClose,
  parse,
  recordChange,
  sentImage,
  sha256Of,
  signatureProblem,
  toMs,
} from '@sav/core/feature'
import type { SavCase, Storage, StoredFile, Transaction } from '@sav/core/ports'
import {
  bookIn,
  bookRdvInput,
  completed,
  followUp,
  moment,
  type Rdv,
  type SlotTokens,
  tellItsCase,
} from '@sav/planning/feature'
import type { AnsweredRdv } from './fact.js'
import { fieldStore } from './field-store.js'
import { type InterventionInput, type InterventionReport, interventionInput } from './inputs.js'
import type { Reach } from './own-visits.js'
import { conflict, fieldProblem } from './refusals.js'
import {
  changeHere,
  type FieldVisitTarget,
  type Findings,
  type Here,
  notedBy,
  type TellingDeps,
  telling,
} from './telling.js'
import { auteurOf, sentFiles } from './uploads.js'

export interface InterveningDeps extends TellingDeps, CloseDeps {
  readonly storage: Pick<Storage, 'outsideFiles'>
  readonly tokens: Pick<SlotTokens, 'open'>
}

interface PreparedIntervention {
  readonly done: InterventionReport
  /** The uploaded files to which the report refers. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** The slot of the next visit; null if none is requested, or it is taken. */
  readonly slot: ReturnType<SlotTokens['open']> | null
}

/**
 * Reports the work of a visit, with its files, comments and parts, the close and the next visit: all of it, or nothing.
 */
export function intervening(
  deps: InterveningDeps,
  actor: Actor,
  where: FieldVisitTarget,
  input: InterventionInput,
): Write<AnsweredRdv> {
  const done = parse(interventionInput, input)
  const { cloture, prochain } = done
  return telling<PreparedIntervention>(deps, actor, where, {
    nature: 'intervention',
    input,
    claim: done,
    async prepare(rdv) {
      const files = await sentFiles(deps.reads, actor, hashesOf(done))
      await refuseUnfit(deps, rdv, done, files)
      await deps.storage.outsideFiles?.upload(actor.account_id, [...files.values(), ...shownFile(done)])
      const told = {
        hasContent: hasContent(done),
        closes: cloture !== undefined,
        vu: cloture?.signature === undefined ? null : (cloture.vu ?? null),
        prochain: prochain === undefined ? null : 'jeton' in prochain ? ('creneau' as const) : ('souhait' as const),
      }
      return { told, done, files, slot: slotIn(deps, actor, where.reach, done) }
    },
    personsOf: ({ slot }) => (slot === null ? [] : [slot.poseur_id]),
    async does(tx, here, prepared) {
      await takeFiles(tx, here, prepared)
      await addToCase(tx, here, done, deps)
      await tellVisit(tx, here, done, deps)
      await endCase(tx, here, prepared, deps)
      const findings = await bookNextVisit(tx, here, prepared, deps)
      const isBooked = here.outcome.books && findings.codes === undefined
      if (done.resultat === 'impossible' && !isBooked) await tellImpossible(tx, here, done, deps)
      return findings
    },
  })
}

const hashesOf = ({ photos, cloture }: InterventionReport): string[] => [
  ...photos.map(({ sha256 }) => sha256),
  ...(cloture?.signature === undefined ? [] : [cloture.signature]),
]

const hasContent = ({ compte_rendu, commentaires, pieces, photos, prochain, cloture }: InterventionReport): boolean =>
  compte_rendu !== undefined ||
  prochain !== undefined ||
  cloture !== undefined ||
  commentaires.length + pieces.length + photos.length > 0

/** The text that a signer read, as a file. */
function shownFile({ cloture }: InterventionReport): StoredFile[] {
  if (cloture?.vu === undefined) return []
  const content = Buffer.from(cloture.vu)
  return [{ sha256: sha256Of(content), media_type: 'text/plain; charset=utf-8', content }]
}

/** @throws ValidationError for a fault that no later state could fix */
async function refuseUnfit(
  { reads }: Pick<TellingDeps, 'reads'>,
  { account_id, id, sav }: Rdv,
  { cloture, photos, commentaires }: InterventionReport,
  files: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const problems: FieldProblem[] = []
  if (sav === null) {
    const ofCases = { photos: photos.length > 0, commentaires: commentaires.length > 0, cloture: cloture !== undefined }
    for (const [field, isTold] of Object.entries(ofCases))
      if (isTold) problems.push(fieldProblem(field, 'only_of_a_case', { id }))
  }
  if (cloture !== undefined) {
    const signed = cloture.signature === undefined ? {} : { signature_client: cloture.signature }
    const missing = await signatureProblem(reads, account_id)(signed)
    if (missing !== null) problems.push({ ...missing, field: 'cloture.signature' })
    const file = files.get(cloture.signature ?? '')
    const image = file && (await sentImage(file.content, 'signature'))
    if (image !== undefined && 'code' in image) problems.push({ ...image, field: 'cloture.signature' })
  }
  if (problems.length > 0) throw new ValidationError(problems)
}

/** The slot of the next visit. Only its time matters, since a phone may send an old offer. */
function slotIn({ tokens }: InterveningDeps, { account_id }: Actor, reach: Reach, { prochain }: InterventionReport) {
  if (prochain === undefined || !('jeton' in prochain)) return null
  try {
    const slot = tokens.open(account_id, prochain.jeton, 0)
    return reach === 'all' || reach.poseur_id === slot.poseur_id ? slot : null
  } catch (error) {
    if (error instanceof ValidationError) return null
    throw error
  }
}

/** Attaches the files of the report to the case. @throws ConflictError if some of them were not uploaded */
async function takeFiles(
  tx: Transaction,
  { actor, dossier }: Here,
  { done, files }: PreparedIntervention,
): Promise<void> {
  if (dossier === null) return
  const { account_id, id } = dossier
  const held = new Set((await tx.files.ofCase(account_id, id)).map(({ sha256 }) => sha256))
  const named = [...new Set(hashesOf(done))]
  const missing = named.filter((sha256) => !files.has(sha256) && !held.has(sha256))
  if (missing.length > 0) throw conflict('file_missing', { hashes: missing.join(', ') })
  for (const file of files.values()) await tx.files.put(account_id, id, file)
  for (const sha256 of files.keys()) await tx.of(fieldStore).removeUpload({ ...auteurOf(actor), sha256 })
}

/** The photos of a close: the first one before the work, and the first one after it. */
function ofClose({ photos, cloture }: InterventionReport): {
  readonly avant: string | null
  readonly apres: string | null
} {
  const first = (moment: string) => photos.find((photo) => photo.moment === moment)?.sha256 ?? null
  return cloture === undefined ? { avant: null, apres: null } : { avant: first('avant'), apres: first('apres') }
}

async function addToCase(
  tx: Transaction,
  { actor, dossier, rdv, at }: Here,
  done: InterventionReport,
  deps: TellingDeps,
): Promise<void> {
  if (dossier === null) return
  const { avant, apres } = ofClose(done)
  const photos = done.photos.filter(({ sha256 }) => sha256 !== avant && sha256 !== apres)
  if (photos.length > 0) await appendPhotos(tx, { actor, found: dossier, at }, { photos, rdv_id: rdv.id }, deps)
  if (done.commentaires.length === 0) return
  await addComments(tx, { actor, found: await again(tx, dossier), at }, done.commentaires, deps)
}

/** Reads the case again, after the earlier writes. */
const again = async (tx: Transaction, { account_id, id }: SavCase): Promise<SavCase> =>
  foundOf(await tx.cases.lock(account_id, id), 'case', id)

async function tellVisit(tx: Transaction, here: Here, done: InterventionReport, deps: TellingDeps): Promise<void> {
  const { actor, rdv, dossier, at, onSite, outcome } = here
  const { resultat, compte_rendu, pieces } = done
  const now = dossier && (await again(tx, dossier))
  if (outcome.statut !== null) {
    const change = { statut: outcome.statut, resultat, pieces, ...(compte_rendu !== undefined && { compte_rendu }) }
    await changeHere(tx, { ...here, dossier: now }, change, deps)
    return
  }
  if (now !== null) {
    const bilan = { resultat, compte_rendu: compte_rendu ?? null, pieces }
    await tellItsCase(tx, { ...rdv, ...completed(bilan) }, { actor, at, dossier: now, random: deps.random, ...onSite })
    return
  }
  const parts = pieces.map(({ quantite, designation }) => `${quantite} × ${designation}`).join(', ')
  const said = [compte_rendu, parts].filter(Boolean).join('\n')
  if (said !== '') await changeHere(tx, here, { notes: notedBy(rdv, said) }, deps)
}

async function endCase(
  tx: Transaction,
  here: Here,
  { done, files }: PreparedIntervention,
  deps: InterveningDeps,
): Promise<void> {
  const { actor, account, dossier, survenu_a, at, outcome } = here
  const { cloture, decalage_ms } = done
  if (cloture === undefined || dossier === null || outcome.close === null) return
  const { account_id, id } = dossier
  const { resolution, signataire_nom, reserves, signature } = cloture
  const { avant, apres } = ofClose(done)
  const [vu = null] = shownFile(done)
  const found = await again(tx, dossier)
  if (found.statut === 'clos') {
    if (vu !== null) await tx.files.put(account_id, id, vu)
    const lines = addendumLines({
      survenu_a,
      resolution,
      photo_avant: avant,
      photo_apres: apres,
      signature_client: signature ?? null,
      signataire_nom: signataire_nom ?? null,
      reserves,
      vu: vu?.sha256 ?? null,
    }).map(({ champ, nouvelle_valeur, commentaire }) =>
      historyEntry(actor, at, 'addendum', {
        change: { champ: champ ?? '', ancien: null, nouveau: nouvelle_valeur },
        commentaire,
      }),
    )
    await recordChange(tx, deps.random, found, { date_modification: at, lines })
    return
  }
  const file = async (sha256: string | null | undefined) =>
    sha256 ? (files.get(sha256) ?? (await tx.files.find(account_id, id, sha256))) : null
  const [photo_avant, photo_apres, signature_client] = [await file(avant), await file(apres), await file(signature)]
  const input: CaseCloseRequest = {
    resolution,
    reserves,
    ...(signataire_nom !== undefined && { signataire_nom }),
    ...(photo_avant && { photo_avant }),
    ...(photo_apres && { photo_apres }),
    ...(signature_client && { signature_client }),
  }
  const client = foundOf(await tx.directory.findClient(account_id, found.client.id), 'client', found.client.id)
  const onSite: OnSiteClose = { survenu_a, decalage_ms, vu }
  await closeIn(tx, { actor, account, client, found, input, at, onSite }, deps)
}

/** Adds a follow-up about impossible work. If the visit had already ended, the finding contains the report. */
async function tellImpossible(
  tx: Transaction,
  { rdv, at, outcome }: Here,
  { compte_rendu }: InterventionReport,
  { calendarOf }: TellingDeps,
): Promise<void> {
  if (outcome.statut === null) return
  const when = `Visite impossible le ${moment(rdv, calendarOf(rdv.fuseau))}`
  const texte = compte_rendu === undefined ? `${when}.` : `${when} : ${compte_rendu}`
  await followUp(tx, rdv, { type: 'visite_impossible', at, texte })
}

/** Books the next visit if its time is still free. A failure changes nothing else of the report. */
async function bookNextVisit(
  tx: Transaction,
  { actor, account, rdv, at, outcome }: Here,
  { done: { prochain }, slot }: PreparedIntervention,
  deps: InterveningDeps,
): Promise<Findings> {
  if (prochain === undefined) return {}
  if ('souhait' in prochain) return { souhait: prochain.souhait }
  if (!outcome.books) return {}
  const alternatives = await bookedOrElse()
  return alternatives === null ? {} : { codes: ['creneau_pris'], alternatives: [...alternatives] }

  async function bookedOrElse() {
    if (slot === null || slot.debut <= at) return deps.advice.otherTimes(tx, rdv, toMs(at))
    const about = rdv.sav === null ? { client_id: rdv.client.id } : { sav_id: rdv.sav.id }
    try {
      const booking = { ...parse(bookRdvInput, { ...about, ...slot, type: rdv.type }) }
      await bookIn(tx, { actor, booking, account, at }, deps)
      return null
    } catch (error) {
      if (error instanceof SlotTakenError) return error.alternatives
      if (!(error instanceof SavError) || error instanceof UnavailableError) throw error
      return deps.advice.otherTimes(tx, rdv, toMs(at))
    }
  }
}
