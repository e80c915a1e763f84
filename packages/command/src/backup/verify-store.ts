import { createUseCases, type EvidenceReport } from '@sav/core'
import type { FileCheckScope } from '@sav/core/adapter'
import { oneFileAtATime } from '@sav/storage-kysely/copy'
import { ofAllAccounts } from '../evidence/all-accounts.js'
import type { Settings } from '../settings/settings.js'
import { depsOf } from '../store/compose.js'
import type { StoreStorage } from '../store/database.js'

export interface VerifyHow {
  /** `none` if the contents of files are outside the store. The rows of the files are still checked. */
  readonly files?: FileCheckScope
  /** Called with the number of chain entries checked. */
  readonly progress?: (entries: number) => void
}

/** Recomputes the evidence chain of every account in a complete store file, without the secret key. */
export async function verifyStore(
  settings: Settings,
  storage: StoreStorage,
  { files = 'all', progress = () => {} }: VerifyHow = {},
): Promise<EvidenceReport> {
  const keys = { secretKey: new Uint8Array(32), findSecretKey: () => undefined }
  // No features: the chain belongs to the core, and the store may lack the tables of features.
  const alone = { ...oneFileAtATime(storage), features: [] }
  const { accounts, evidence } = createUseCases(await depsOf({ ...settings, files: null }, { storage: alone, ...keys }))
  const reports: EvidenceReport[] = []
  let before = 0
  for (const { id } of [...(await accounts.list()), ...(await accounts.erased())]) {
    reports.push(await evidence.verify(id, { files, progress: (entries) => progress(before + entries) }))
    before += reports.at(-1)?.checked ?? 0
  }
  return ofAllAccounts(reports)
}
