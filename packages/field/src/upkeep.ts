import { dayMs, toInstant } from '@sav/core/feature'
import type { Clock, Storage } from '@sav/core/ports'
import { fieldStore } from './field-store.js'

/** How long an uploaded file is kept for a write that refers to it. */
const keepUploadsMs = 7 * dayMs
/** How long the answer to a report is kept, for a phone that did not get it. */
const keepFactsMs = 30 * dayMs

/** How many files and reports one transaction deletes. It deletes few files, since each may have megabytes. */
const files = 20
const rows = 500

/** Deletes what phones no longer need. */
export async function purgeField({
  storage,
  clock,
}: {
  readonly storage: Pick<Storage, 'transaction'>
  readonly clock: Pick<Clock, 'now'>
}): Promise<void> {
  const before = (keptMs: number) => toInstant(clock.now() - keptMs)
  let gone = files
  while (gone === files)
    gone = await storage.transaction((tx) => tx.of(fieldStore).purgeUploads(before(keepUploadsMs), files))
  gone = rows
  while (gone === rows)
    gone = await storage.transaction((tx) => tx.of(fieldStore).purgeFacts(before(keepFactsMs), rows))
}
