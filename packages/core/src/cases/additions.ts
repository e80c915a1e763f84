import type { Actor } from '../access/actor.js'
import { emit } from '../delivery/outbox.js'
import type { AccountLimits } from '../directory/account-limits.js'
import { refuseErased } from '../directory/erased-client.js'
import { CaseNotFoundError } from '../errors.js'
import { addedPhoto } from '../evidence/case-check.js'
import type { Photo } from '../files/stored-file.js'
import { type Hooks, otherVisit } from '../hooks.js'
import type { Reads, Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import { parse, parseWith } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import type { SavCase } from './case.js'
import { caseEventData } from './case-events.js'
import type { Cases } from './cases.js'
import { photosOf } from './detail.js'
import { historyEntry, type RecordedChange, recordChange } from './history.js'
import { addPhotosInput, commentInput } from './inputs.js'

interface RecordDeps {
  readonly newId: NewId
  readonly random: Random
}

interface AdditionDeps extends RecordDeps {
  readonly storage: Pick<Storage, 'outsideFiles'>
  readonly reads: Reads
  readonly clock: Clock
  readonly limits: AccountLimits
  readonly caseOfVisit: Hooks['caseOfVisit']
}

/** Additions to a case, open or closed. They are never changed. */
export function additionWrites(deps: AdditionDeps): WritesOf<Cases, 'comment' | 'addPhotos'> {
  const { storage, reads, clock, limits } = deps
  return {
    comment(actor, id, input) {
      const { texte } = parse(commentInput, input)
      return {
        async write(tx) {
          const found = await lockToAdd(tx, actor, id)
          await addComments(tx, { actor, found, at: toInstant(clock.now()) }, [texte], deps)
          const [added] = await tx.cases.comments(actor.account_id, id, { beforeId: null, limit: 1 })
          if (added === undefined) throw new Error('The store does not return the comment that was just written.')
          return added
        },
      }
    },

    addPhotos(actor, id, input) {
      const { account_id } = actor
      return preparedWrite({
        async prepare() {
          const valid = await parseWith(addPhotosInput, input)
          const files = valid.photos.filter((photo) => 'content' in photo)
          await limits.files(reads, account_id, files)
          await storage.outsideFiles?.upload(account_id, files)
          return { ...valid, files }
        },
        async write(tx, { photos, rdv_id, files }) {
          const found = await lockToAdd(tx, actor, id)
          if (rdv_id !== undefined && (await deps.caseOfVisit(tx, account_id, rdv_id)) !== id) throw otherVisit(rdv_id)
          for (const file of files) await tx.files.put(account_id, id, file)
          const addition = { actor, found, at: toInstant(clock.now()) }
          const all = await appendPhotos(tx, addition, { photos, rdv_id }, deps)
          return photosOf({ id, photos: all }).slice(found.photos.length)
        },
      })
    },
  }
}

interface Addition {
  readonly actor: Actor
  /** The case that `lock` returned. */
  readonly found: SavCase
  readonly at: string
}

/** Adds comments to a case in one change. */
export async function addComments(
  tx: Transaction,
  { actor, found, at }: Addition,
  textes: readonly string[],
  deps: RecordDeps,
): Promise<void> {
  const lines = textes.map((commentaire) => historyEntry(actor, at, 'commentaire', { commentaire }))
  await record(tx, found, { champ: 'commentaires', date_modification: at, lines }, deps)
}

interface AddedPhotos {
  readonly photos: readonly ({ readonly sha256: string } | { readonly url: string })[]
  /** The appointment at which the photos were taken. */
  readonly rdv_id?: number | undefined
}

/** Adds photos to a case that already holds their files. Resolves to all its photos. */
export async function appendPhotos(
  tx: Transaction,
  { actor, found, at: date }: Addition,
  { photos, rdv_id }: AddedPhotos,
  deps: RecordDeps,
): Promise<readonly Photo[]> {
  const added = photos.map((photo): Photo => {
    const about = { date, ...(rdv_id !== undefined && { rdv_id }) }
    return 'url' in photo ? { url: photo.url, ...about } : { sha256: photo.sha256, ...about }
  })
  const lines = added.map((photo) => {
    const nouveau = 'sha256' in photo ? photo.sha256 : null
    const change = { champ: addedPhoto(rdv_id), ancien: null, nouveau }
    return historyEntry(actor, date, 'photo', { change, commentaire: 'url' in photo ? photo.url : null })
  })
  const all = [...found.photos, ...added]
  await record(tx, found, { champ: 'photos', photos: all, date_modification: date, lines }, deps)
  return all
}

/** @throws CaseNotFoundError, ClientErasedError */
async function lockToAdd(tx: Transaction, { account_id }: Actor, id: number): Promise<SavCase> {
  const found = await tx.cases.lock(account_id, id)
  if (found === null) throw new CaseNotFoundError(id)
  await refuseErased(tx, { account_id, client_id: found.client.id }, 'add nothing about that person.')
  return found
}

/** Records an addition. Its event has only the name of the field. */
async function record(
  tx: Transaction,
  found: SavCase,
  { champ, ...change }: RecordedChange & { readonly champ: string },
  { newId, random }: RecordDeps,
): Promise<void> {
  const { account_id, version } = found
  await recordChange(tx, random, found, change)
  const data = caseEventData({ ...found, version: version + 1 }, [{ champ }])
  await emit(tx, newId, { account_id, event: 'sav.updated', at: change.date_modification, data })
}
