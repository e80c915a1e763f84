import type { TargetName } from './hooks.js'
import type { Reads } from './storage.js'

/** The current name of a client; null if it is gone. */
export async function clientName({ directory }: Reads, account_id: string, id: number): Promise<string | null> {
  const found = await directory.findClient(account_id, id)
  return found && (found.raison_sociale ?? `${found.prenom} ${found.nom}`.trim())
}

/** The description of an endpoint, or its URL; null if it is gone. */
export async function endpointName({ endpoints }: Reads, account_id: string, id: string): Promise<string | null> {
  const found = await endpoints.find(account_id, id)
  return found && (found.description || found.url)
}

/** The current name of each kind of target; null if it is gone. */
const coreNames: Readonly<Record<string, TargetName>> = {
  case: async ({ cases }, account_id, id) => (await cases.find(account_id, Number(id)))?.reference ?? null,
  client: (reads, account_id, id) => clientName(reads, account_id, Number(id)),
  poseur: async ({ directory }, account_id, id) => (await directory.findPoseur(account_id, Number(id)))?.nom ?? null,
  key: async ({ keys }, account_id, id) => (await keys.find(account_id, id))?.nom ?? null,
  endpoint: endpointName,
  async fichiers({ files, cases }, account_id, sha256) {
    const holder = await files.latestHolder(account_id, sha256)
    return holder === null ? null : ((await cases.find(account_id, holder))?.reference ?? null)
  },
}

/** The names of targets such as `case:19`, each looked up once. @param added the names of features' targets, by kind */
export async function targetNames(
  reads: Reads,
  account_id: string,
  targets: Iterable<string | null>,
  added: Readonly<Record<string, TargetName>>,
): Promise<ReadonlyMap<string | null, string | null>> {
  const namesOf = { ...coreNames, ...added }
  const names = new Map<string | null, string | null>()
  for (const target of new Set(targets)) {
    const [kind = '', ...id] = target?.split(':') ?? []
    names.set(target, (await namesOf[kind]?.(reads, account_id, id.join(':'))) ?? null)
  }
  return names
}
