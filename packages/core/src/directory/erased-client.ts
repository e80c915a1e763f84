import { ClientErasedError, found } from '../errors.js'
import { erasedText } from '../evidence/history-chain.js'
import type { Reads } from '../storage.js'

/**
 * Whether there is no text, or only the replacement of an erased one. Records about an erased client may contain no
 * other text.
 */
export const saysNothing = (text: string | null | undefined): boolean =>
  text === null || text === undefined || text === erasedText

/**
 * Refuses to write about an erased client. Inside a transaction it locks the client. Lock cases and appointments
 * before, as an erasure does.
 * @param remedy what is possible instead, as the end of a sentence
 * @throws ClientErasedError
 */
export async function refuseErased(
  reads: Pick<Reads, 'directory'>,
  { account_id, client_id }: { readonly account_id: string; readonly client_id: number },
  remedy: string,
): Promise<void> {
  const client = found(await reads.directory.findClient(account_id, client_id), 'client', client_id)
  if (client.efface_le !== null) throw new ClientErasedError(client_id, remedy)
}
