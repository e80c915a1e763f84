import type { EvidenceReads, EvidenceWrites } from '../../evidence/evidence-store.js'
import type { FileReads, FileWrites } from '../../files/file-store.js'
import { by, ownedBy } from './rows.js'
import { keyOf, type Tables } from './tables.js'

function fileReads({ files, caseFiles }: Tables): FileReads {
  return {
    async find(account_id, case_id, sha256) {
      if (caseFiles.get(keyOf(account_id, case_id, sha256)) === undefined) return null
      return files.get(keyOf(account_id, sha256)) ?? null
    },
    async ofCase(account_id, case_id) {
      const held = caseFiles.where((file) => file.account_id === account_id && file.case_id === case_id)
      return held.flatMap(({ sha256 }) => {
        const file = files.get(keyOf(account_id, sha256))
        return file === undefined ? [] : [{ sha256, media_type: file.media_type }]
      })
    },
    isHeld: async (account_id, sha256) => files.get(keyOf(account_id, sha256)) !== undefined,
  }
}

export function memoryFiles(tables: Tables): FileWrites {
  const { cases, files, caseFiles } = tables
  return {
    ...fileReads(tables),
    async put(account_id, case_id, file) {
      if (ownedBy(account_id, cases.get(case_id)) === undefined) return
      files.put(keyOf(account_id, file.sha256), { ...file, content: new Uint8Array(file.content) })
      caseFiles.put(keyOf(account_id, case_id, file.sha256), { account_id, case_id, sha256: file.sha256 })
    },
    async release(account_id, case_id) {
      const held = caseFiles.where((file) => file.account_id === account_id && file.case_id === case_id)
      const deleted: string[] = []
      for (const { sha256 } of held) {
        caseFiles.remove(keyOf(account_id, case_id, sha256))
        const others = caseFiles.where((file) => file.account_id === account_id && file.sha256 === sha256)
        if (others.length > 0) continue
        files.remove(keyOf(account_id, sha256))
        deleted.push(sha256)
      }
      return deleted
    },
  }
}

function evidenceReads({ evidence, heads, snapshots, stamps }: Tables): EvidenceReads {
  const stampsOf = (account_id: string) =>
    stamps.where((stamp) => stamp.account_id === account_id).sort(by(({ sequence }) => sequence))
  return {
    head: async (account_id) => evidence.get(keyOf(account_id, heads.get(account_id) ?? 0)) ?? null,
    findByHash: async (beginning) =>
      evidence
        .where((entry) => entry.hash_dossier.startsWith(beginning))
        .sort(by(({ hash_dossier }) => hash_dossier))[0] ?? null,
    latestStamp: async (account_id) => stampsOf(account_id).at(-1) ?? null,
    stamps: async (account_id, { afterSequence, limit }) =>
      stampsOf(account_id)
        .filter(({ sequence }) => sequence > afterSequence)
        .slice(0, limit),
    stampOf: async (account_id, sequence) => stampsOf(account_id).find((stamp) => stamp.sequence >= sequence) ?? null,
    find: async (account_id, sequence) => evidence.get(keyOf(account_id, sequence)) ?? null,
    ofCase: async (account_id, case_id) =>
      evidence.where((entry) => entry.account === account_id && entry.case_id === case_id),
    async walk(account_id, { afterSequence, limit }) {
      const last = Math.min(afterSequence + limit, heads.get(account_id) ?? 0)
      const walked: { entry: NonNullable<ReturnType<typeof evidence.get>>; snapshot: string | null }[] = []
      for (let sequence = afterSequence + 1; sequence <= last; sequence += 1) {
        const entry = evidence.get(keyOf(account_id, sequence))
        if (entry === undefined) continue
        walked.push({ entry, snapshot: snapshots.get(keyOf(account_id, entry.hash_dossier)) ?? null })
      }
      return walked
    },
    snapshot: async (account_id, hash_dossier) => snapshots.get(keyOf(account_id, hash_dossier)) ?? null,
  }
}

export function memoryEvidence(tables: Tables): EvidenceWrites {
  const { cases, evidence, heads, snapshots, stamps } = tables
  const reads = evidenceReads(tables)
  return {
    ...reads,
    lockHead: reads.head,
    async append(entry, snapshot) {
      const { account, sequence, case_id, hash_dossier } = entry
      if (ownedBy(account, cases.get(case_id)) === undefined) throw new Error(`No case ${case_id} in ${account}.`)
      const next = (heads.get(account) ?? 0) + 1
      if (sequence !== next) throw new Error(`The next entry of ${account} has the sequence ${next}, not ${sequence}.`)
      evidence.put(keyOf(account, sequence), entry)
      heads.put(account, sequence)
      snapshots.put(keyOf(account, hash_dossier), snapshot)
    },
    async eraseSnapshot(account_id, hash_dossier, marker) {
      const key = keyOf(account_id, hash_dossier)
      if (snapshots.get(key) !== undefined) snapshots.put(key, marker)
    },
    async addStamp(stamp) {
      stamps.put(keyOf(stamp.account_id, stamp.sequence), stamp)
    },
  }
}
