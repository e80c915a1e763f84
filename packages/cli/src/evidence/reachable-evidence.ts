import type { EvidenceEntry, ProofBundle } from '@sav/core'
import type { Context } from '../invocation/context.js'
import { reach } from '../invocation/reachable.js'

/** An entry as its hash sees it, and the API shows it. */
export type ChainLink = Omit<EvidenceEntry, 'case_id'>

/** What the service answers of a close. */
export interface Proof extends Omit<ProofBundle, 'entree' | 'precedente' | 'suivante'> {
  readonly entree: ChainLink
  readonly precedente: ChainLink | null
  readonly suivante: ChainLink | null
}

/** The evidence of an account, of the store or over the network. */
interface ReachableEvidence {
  /** Of the latest close, or of an earlier one. */
  proof(case_id: number, sequence: number | undefined): Promise<Proof>
  /** The entries from the sequence `first` to the sequence `last`. */
  chain(first: number, last: number): Promise<ChainLink[]>
}

export function reachableEvidence(context: Context): Promise<ReachableEvidence> {
  return reach<ReachableEvidence>(context, {
    here: ({ sav: { cases, evidence }, account_id }) => ({
      async proof(case_id, sequence) {
        const { entree, precedente, suivante, ...rest } = await cases.proof(account_id, case_id, sequence)
        return {
          ...rest,
          entree: link(entree),
          precedente: precedente && link(precedente),
          suivante: suivante && link(suivante),
        }
      },
      async chain(first, last) {
        return (await evidence.entries(account_id, { afterSequence: first - 1, sequence: last })).map(link)
      },
    }),
    there: ({ client, answer, data }) => ({
      proof: (id, sequence) => data(client.get('/api/v1/sav/{id}/preuve', { params: { id }, query: { sequence } })),
      chain: (first, last) =>
        answer(upTo(last, client.each('/api/v1/preuves', { query: { curseur: String(first - 1), limite: 200 } }))),
    }),
  })
}

/** Those that come before the entry `last`, and itself. */
async function upTo(last: number, entries: AsyncIterable<ChainLink>): Promise<ChainLink[]> {
  const found: ChainLink[] = []
  for await (const entry of entries) {
    if (entry.sequence > last) break
    found.push(entry)
    if (entry.sequence === last) break
  }
  return found
}

const link = ({ case_id: _, ...chained }: EvidenceEntry): ChainLink => chained
