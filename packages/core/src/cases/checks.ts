import { poseurFault } from '../directory/poseurs.js'
import { ClientErasedError, type FieldProblem, fieldProblem } from '../errors.js'
import type { Reads } from '../storage.js'
import { id } from '../values/validation.js'

/** A check that needs the store: what is wrong with an input, or null. @throws ClientErasedError */
type LookUp = (input: unknown) => Promise<FieldProblem | null>

export const clientProblem =
  (reads: Reads, account_id: string): LookUp =>
  async (input) => {
    const client_id = id().safeParse(Object(input).client_id)
    if (!client_id.success) return null
    const client = await reads.directory.findClient(account_id, client_id.data)
    if (client === null) return fieldProblem('client_id', 'client_unknown', { id: client_id.data })
    if (client.efface_le !== null) throw new ClientErasedError(client.id, 'add a new one.')
    return null
  }

/** Checks that the poseur to assign is active. */
export const poseurProblem =
  (reads: Reads, account_id: string): LookUp =>
  async (input) => {
    const poseur_id = id().safeParse(Object(input).poseur_id)
    if (!poseur_id.success) return null
    const fault = poseurFault(await reads.directory.findPoseur(account_id, poseur_id.data), poseur_id.data)
    return fault === null ? null : { field: 'poseur_id', ...fault }
  }

/** Checks that the customer's signature is there if the account requires one. */
export const signatureProblem =
  (reads: Reads, account_id: string): LookUp =>
  async (input) => {
    if (Object(input).signature_client !== undefined) return null
    const account = await reads.accounts.find(account_id)
    if (account === null || account.signature_requise_depuis === null) return null
    return fieldProblem('signature_client', 'signature_required')
  }
