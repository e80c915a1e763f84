import type { Reads } from './storage.js'

interface Person {
  readonly nom: string
  readonly prenom: string
}

const nameOf = ({ prenom, nom }: Person) => `${prenom} ${nom}`.trim()

async function clientName({ directory }: Reads, account_id: string, id: number): Promise<string | null> {
  const found = await directory.findClient(account_id, id)
  return found && (found.raison_sociale ?? nameOf(found))
}

async function endpointName({ endpoints }: Reads, account_id: string, id: string): Promise<string | null> {
  const found = await endpoints.find(account_id, id)
  return found && (found.description || found.url)
}

/** What each kind of target is called now; null where it is gone. */
const namesOf: Readonly<Record<string, (reads: Reads, account_id: string, id: string) => Promise<string | null>>> = {
  case: async ({ cases }, account_id, id) => (await cases.find(account_id, Number(id)))?.reference ?? null,
  client: (reads, account_id, id) => clientName(reads, account_id, Number(id)),
  poseur: async ({ directory }, account_id, id) => (await directory.findPoseur(account_id, Number(id)))?.nom ?? null,
  async rdv({ planning }, account_id, id) {
    const found = await planning.find(account_id, Number(id))
    return found && nameOf(found.client)
  },
  user: async ({ users }, account_id, id) => (await users.find(account_id, id))?.nom ?? null,
  key: async ({ keys }, account_id, id) => (await keys.find(account_id, id))?.nom ?? null,
  endpoint: endpointName,
  async fichiers({ files, cases }, account_id, sha256) {
    const holder = await files.latestHolder(account_id, sha256)
    return holder === null ? null : ((await cases.find(account_id, holder))?.reference ?? null)
  },
  // A follow-up that was never marked as done has no row here.
  async 'a-traiter'(reads, account_id, id) {
    const client_id = (await reads.followUps.find(account_id, id))?.client_id ?? null
    if (client_id !== null) return clientName(reads, account_id, client_id)
    const [, endpoint_id] = /^recepteur_en_echec-(.+)-\d+$/.exec(id) ?? []
    return endpoint_id === undefined ? null : endpointName(reads, account_id, endpoint_id)
  },
}

/** The names of targets such as `case:19`, each looked up once. */
export async function targetNames(
  reads: Reads,
  account_id: string,
  targets: Iterable<string | null>,
): Promise<ReadonlyMap<string | null, string | null>> {
  const names = new Map<string | null, string | null>()
  for (const target of new Set(targets)) {
    const [kind = '', ...id] = target?.split(':') ?? []
    names.set(target, (await namesOf[kind]?.(reads, account_id, id.join(':'))) ?? null)
  }
  return names
}
