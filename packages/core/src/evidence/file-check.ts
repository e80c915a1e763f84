import type { HeldFile } from '../files/file-store.js'
import { isIntact } from '../files/intact-file.js'
import type { Reads } from '../storage.js'
import type { Random } from '../values/random.js'

/** Which files a check reads and hashes: all, one of twenty at random, or none. */
export const filesChecked = ['all', 'sample', 'none'] as const
/** Which files a check reads: see `filesChecked`. */
export type FileCheckScope = (typeof filesChecked)[number]

/** A file that a case or a report names. `media_type` is null if its type is not named. */
export interface NamedFile {
  readonly sha256: string
  readonly media_type: string | null
}

export interface FileChecks {
  /** The faults of a case's files. If `all` is true, a file that is not named is a fault too. */
  ofCase(case_id: number, named: readonly NamedFile[], known: { readonly all: boolean }): Promise<string[]>
  /** The faults of a logo that the account's reports print. */
  logo(sha256: string): Promise<string[]>
}

interface FileCheckDeps {
  readonly reads: Pick<Reads, 'files' | 'accounts'>
  readonly random: Random
  readonly account_id: string
  readonly files: FileCheckScope
}

/** A sample has 13 of 256 files at random: about one file in twenty. */
const sampled = 13

export function fileChecker({ reads, random, account_id, files }: FileCheckDeps): FileChecks {
  const logos = new Map<string, string[]>()
  const isRead = () => files === 'all' || (files === 'sample' && (random(1)[0] ?? 0) < sampled)

  return {
    async ofCase(case_id, named, { all }) {
      const held = new Map((await reads.files.ofCase(account_id, case_id)).map((file) => [file.sha256, file]))
      const faults: string[] = []
      const seen = new Set<string>()
      for (const { sha256, media_type } of named) {
        const file = held.get(sha256)
        if (file === undefined) faults.push(`file ${sha256} is missing`)
        else if (media_type !== null && file.media_type !== media_type)
          faults.push(`file ${sha256} is stored as ${file.media_type}, but was recorded as ${media_type}`)
        if (file === undefined || seen.has(sha256)) continue
        seen.add(sha256)
        if (isRead()) faults.push(...(await contentFaults(case_id, file)))
      }
      if (!all) return faults
      for (const sha256 of held.keys()) if (!seen.has(sha256)) faults.push(`no close names file ${sha256}`)
      return faults
    },

    async logo(sha256) {
      const known = logos.get(sha256)
      if (known !== undefined) return known
      const logo = await reads.accounts.findLogo(account_id, sha256)
      const faults = logo !== null && isIntact(logo) ? [] : [`logo ${sha256} is missing, or its content was changed`]
      logos.set(sha256, faults)
      return faults
    },
  }

  async function contentFaults(case_id: number, { sha256 }: HeldFile): Promise<string[]> {
    const file = await reads.files.find(account_id, case_id, sha256)
    if (file === null) return [`file ${sha256} is missing`]
    const { content } = file
    if (content instanceof Uint8Array && content.length === 0)
      return [`file ${sha256} is missing: its content is not in the database (SAV_FILES may keep it elsewhere)`]
    const isWhole = content instanceof Uint8Array && isIntact({ sha256, content })
    return isWhole ? [] : [`the content of file ${sha256} does not match its hash`]
  }
}
