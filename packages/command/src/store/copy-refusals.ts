import { type CopyRefusal, CopyRefusedError, isUnfinishedCopy, refuseInUse, type Store } from '@sav/storage-kysely/copy'
import { CommandError } from '../process/command-error.js'

/** @throws CommandError if the store is the target of a copy that was not completed */
export async function refuseUnfinishedCopy({ storage, name }: Pick<Store, 'storage' | 'name'>): Promise<void> {
  if (await isUnfinishedCopy(storage)) throw refused({ reason: 'unfinished_copy', store: name, of: null })
}

/**
 * Call it before the target is created, so that no target is left behind.
 * @throws CommandError if a copy would refuse this source
 */
export async function refuseUnfitSource(source: Store): Promise<void> {
  const pending = await source.storage.pendingMigrations()
  if (pending.length > 0) throw refused({ reason: 'pending_migrations', store: source.name, pending })
  await refuseBesideService(source)
}

/** @throws CommandError if a service uses the store, or used it a moment ago */
export const refuseBesideService = (store: Store): Promise<void> => refusedInWords(refuseInUse(store))

/** The result of `work`, with refusals of a copy converted to CommandError. */
export async function refusedInWords<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof CopyRefusedError ? refused(error.refusal) : error
  })
}

const refused = (refusal: CopyRefusal) => new CommandError(refusal.reason, sentenceOf(refusal))

function sentenceOf(refusal: CopyRefusal): string {
  const { store } = refusal
  switch (refusal.reason) {
    case 'in_use':
      return `A \`sav serve\` or \`sav worker\` is using ${store}, or was a moment ago: stop it, and run this again in 15 s.`
    case 'pending_migrations':
      return `${store} lacks ${refusal.pending.join(', ')}: run \`sav migrate\` on it first, with SAV_DATABASE naming it.`
    case 'newer_schema':
      return `${store} is from a newer version of sav, which has ${refusal.columns.join(', ')}: copy it with that version.`
    case 'feature_not_opened':
      return `${store} holds rows of ${refusal.features.join(', ')}, and this program lacks that feature: use the program that wrote them.`
    case 'unfinished_copy':
      return refusal.of === null
        ? `${store} holds an unfinished copy: run the same \`sav copy\` or \`sav restore\` again.`
        : `${store} holds an unfinished copy of ${refusal.of}: finish that one, or give an empty database.`
    case 'not_empty':
      return `${store} is not empty (${refusal.table} has rows): give an empty database.`
    case 'copy_differs':
      return (
        `${refusal.table} differs: ${refusal.source.rows} rows in ${refusal.source.name}, ${refusal.rows} in ${store}. ` +
        'Something wrote to one of the stores during the copy: stop it, empty the target, and copy again.'
      )
  }
}
