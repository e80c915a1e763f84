import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import { ClientErasedError, fieldProblem, found, ValidationError } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import { followsOrder, listOrder, textInPlace } from '../values/cursor.js'
import { lazily } from '../values/lazily.js'
import { type ListPage, listPage, pageFields, pageOf } from '../values/paging.js'
import { id, parse, searched } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import {
  type AddClientInput,
  addClientInput,
  type Client,
  type ClientView,
  hasFirstNameOrCompany,
  type UpdateClientInput,
  updateClientInput,
} from './directory.js'
import { type LocateLieu, located } from './lieu.js'

/** The order of the list: by name. */
const clientOrder = listOrder('clients', textInPlace, id)

/**
 * A page of at most 200. `recherche` has 1 to 200 characters, with a letter or digit. Each of its words must occur in
 * name, address, town, telephone or e-mail (see search-words.ts).
 */
export const listClientsInput = lazily(() =>
  z.strictObject({ ...pageFields(), recherche: searched().optional() }).check(followsOrder(() => clientOrder)),
)
/** What `directory.clients.list` takes. */
export type ListClientsInput = Inputs['listClients']

/** Customers. A client who asks to be forgotten is erased, never deleted: cases and their evidence stay. */
export interface Clients {
  add(actor: Actor, input: AddClientInput): Promise<ClientView>
  /** @throws NotFoundError */
  get(account_id: string, id: number): Promise<ClientView>
  /** Replaces the given fields. @throws NotFoundError, ClientErasedError */
  update(actor: Actor, id: number, input: UpdateClientInput): Promise<ClientView>
  /**
   * Replaces all personal data of a client, also in every case. The hashes of closed cases stay in the evidence chain,
   * which gets an entry for each of these cases. Erasing the client again removes personal data that was added since.
   * @throws NotFoundError
   */
  erase(actor: Actor, id: number): Promise<ClientView>
  list(account_id: string, input: ListClientsInput): Promise<ListPage<ClientView>>
}

export function clientQueries({ reads }: { readonly reads: Reads }): Pick<Clients, 'get' | 'list'> {
  return {
    async get(account_id, id) {
      return clientView(found(await reads.directory.findClient(account_id, id), 'client', id))
    },
    async list(account_id, input) {
      const asked = parse(listClientsInput, input)
      const { recherche } = asked
      const listed = await reads.directory.listClients(account_id, { ...pageOf(asked), recherche })
      return listPage(clientOrder, asked, listed, clientView)
    },
  }
}

export interface ClientWritesDeps {
  readonly clock: Clock
  readonly locate: LocateLieu
}

export function clientWrites({ clock, locate }: ClientWritesDeps): WritesOf<Clients, 'add' | 'update'> {
  const optIn = (whatsapp: boolean) => (whatsapp ? toInstant(clock.now()) : null)
  return {
    add({ account_id }, input) {
      const { whatsapp, ...rest } = parse(addClientInput, input)
      return preparedWrite({
        prepare: () => located(rest.lieu, locate),
        async write(tx, lieu) {
          const client = { ...rest, lieu, whatsapp_depuis: optIn(whatsapp), efface_le: null }
          return clientView({ id: await tx.directory.addClient(account_id, client), ...client })
        },
      })
    },
    update({ account_id }, id, input) {
      const { whatsapp, ...rest } = parse(updateClientInput, input)
      return preparedWrite({
        prepare: () => located(rest.lieu, locate),
        async write(tx, lieu) {
          await lockCasesOf(tx, { account_id, client_id: id })
          const before = found(await tx.directory.findClient(account_id, id), 'client', id)
          if (before.efface_le !== null) throw new ClientErasedError(id, 'add a new one.')
          const unchanged = whatsapp === undefined || whatsapp === (before.whatsapp_depuis !== null)
          const { prenom = before.prenom, raison_sociale = before.raison_sociale } = rest
          if (!hasFirstNameOrCompany({ prenom, raison_sociale }))
            throw new ValidationError([fieldProblem('prenom', 'first_name_or_company')])
          await tx.directory.updateClient(account_id, id, {
            ...rest,
            lieu,
            ...(!unchanged && { whatsapp_depuis: optIn(whatsapp) }),
          })
          return clientView(found(await tx.directory.findClient(account_id, id), 'client', id))
        },
      })
    },
  }
}

/**
 * Locks the client's cases. A transaction that writes cases and the client calls it first: all writers lock in the same
 * order, cases, appointments, clients.
 */
export async function lockCasesOf(
  tx: Transaction,
  { account_id, client_id }: { readonly account_id: string; readonly client_id: number },
): Promise<void> {
  for (const { id } of await tx.cases.ofClient(account_id, client_id)) await tx.cases.lock(account_id, id)
}

export const clientView = ({ whatsapp_depuis, ...client }: Client): ClientView => ({
  ...client,
  whatsapp: whatsapp_depuis !== null,
})
