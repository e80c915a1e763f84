import {
  type Changes,
  type Client,
  type ClientFields,
  type DirectoryWrites,
  fold,
  type Page,
  type Paged,
  type Poseur,
  type PoseurFields,
} from '@sav/core/ports'
import { type Kysely, sql } from 'kysely'
import { type Range, rangeOf } from './paging.js'
import { changed } from './rows.js'
import type { Schema } from './schema.js'
import { bindWords, containsWords, type Words } from './search.js'
import type { Session } from './session.js'
import { insertion, type Named, replacement, shapes, statement } from './statement.js'

type OneOfAccount = { readonly account_id: string; readonly id: number }
type PageOfAccount = { readonly account_id: string } & Range

const clientFields = ['nom', 'prenom', 'email', 'telephone', 'adresse', 'whatsapp_depuis'] as const
const clientColumns = ['id', ...clientFields] as const
const clientWritten = [...clientFields, 'recherche_nom', 'recherche_email'] as const

const findClient = statement((db, p: Named<OneOfAccount>) =>
  db.selectFrom('clients').select(clientColumns).where('account_id', '=', p('account_id')).where('id', '=', p('id')),
)
const addClient = insertion('clients', ['account_id', ...clientWritten], sql<{ id: number }>`returning id`)
const updateClient = replacement('clients', ['account_id', 'id'], clientWritten)

function matchingClients(
  db: Kysely<Schema>,
  p: Named<{ readonly account_id: string } & Words>,
  bound: ReadonlySet<string>,
) {
  return db
    .selectFrom('clients')
    .where('account_id', '=', p('account_id'))
    .where((eb) => containsWords([eb.ref('recherche_nom'), eb.ref('recherche_email')], bound, p))
}

const countClients = shapes((bound) =>
  statement((db, p: Named<{ readonly account_id: string } & Words>) =>
    matchingClients(db, p, bound).select((eb) => eb.fn.countAll<number>().as('total')),
  ),
)
// In the order of the index clients_name.
const pageOfClients = shapes((bound) =>
  statement((db, p: Named<PageOfAccount & Words>) =>
    matchingClients(db, p, bound)
      .select(clientColumns)
      .orderBy('nom')
      .orderBy('prenom')
      .orderBy('id')
      .limit(p('limit'))
      .offset(p('offset')),
  ),
)

const poseurFields = ['nom', 'inactif_depuis'] as const

const findPoseur = statement((db, p: Named<OneOfAccount>) =>
  db
    .selectFrom('poseurs')
    .select(['id', ...poseurFields])
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id')),
)
const addPoseur = insertion('poseurs', ['account_id', ...poseurFields], sql<{ id: number }>`returning id`)
const updatePoseur = replacement('poseurs', ['account_id', 'id'], poseurFields)

const countPoseurs = statement((db, p: Named<{ account_id: string }>) =>
  db
    .selectFrom('poseurs')
    .where('account_id', '=', p('account_id'))
    .select((eb) => eb.fn.countAll<number>().as('total')),
)
// In the order of the index poseurs_name.
const pageOfPoseurs = statement((db, p: Named<PageOfAccount>) =>
  db
    .selectFrom('poseurs')
    .select(['id', ...poseurFields])
    .where('account_id', '=', p('account_id'))
    .orderBy('nom')
    .orderBy('id')
    .limit(p('limit'))
    .offset(p('offset')),
)

export class Directory implements DirectoryWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  findClient(account_id: string, id: number): Promise<Client | null> {
    return this.#session.first(findClient, { account_id, id })
  }

  findPoseur(account_id: string, id: number): Promise<Poseur | null> {
    return this.#session.first(findPoseur, { account_id, id })
  }

  async listClients(
    account_id: string,
    { recherche, page, limite }: Page & { readonly recherche?: string | undefined },
  ): Promise<Paged<Client>> {
    const matching = { account_id, ...bindWords(recherche) }
    const { total } = await this.#session.one(countClients(matching), matching)
    const paged = { ...matching, ...rangeOf({ page, limite }) }
    return { items: await this.#session.all(pageOfClients(paged), paged), total }
  }

  async listPoseurs(account_id: string, page: Page): Promise<Paged<Poseur>> {
    const { total } = await this.#session.one(countPoseurs, { account_id })
    const items = await this.#session.all(pageOfPoseurs, { account_id, ...rangeOf(page) })
    return { items, total }
  }

  async addClient(account_id: string, client: ClientFields): Promise<number> {
    return (await this.#session.one(addClient, { account_id, ...written(client) })).id
  }

  async updateClient(account_id: string, id: number, fields: Changes<ClientFields>): Promise<void> {
    const found = await this.findClient(account_id, id)
    if (found !== null) await this.#session.run(updateClient, { account_id, id, ...written(changed(found, fields)) })
  }

  async addPoseur(account_id: string, { nom, inactif_depuis }: PoseurFields): Promise<number> {
    return (await this.#session.one(addPoseur, { account_id, nom, inactif_depuis })).id
  }

  async updatePoseur(account_id: string, id: number, fields: Changes<PoseurFields>): Promise<void> {
    const found = await this.findPoseur(account_id, id)
    if (found !== null) await this.#session.run(updatePoseur, { account_id, ...changed(found, fields) })
  }
}

function written(client: ClientFields) {
  return {
    ...client,
    recherche_nom: fold(`${client.nom} ${client.prenom}`),
    recherche_email: fold(client.email ?? ''),
  }
}
