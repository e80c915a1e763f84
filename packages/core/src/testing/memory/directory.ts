import type { ApiKeyRecord } from '../../access/api-key.js'
import type { KeyReads, KeyWrites } from '../../access/key-store.js'
import type { AccountReads, AccountWrites } from '../../directory/account-store.js'
import type { Account, Client, Poseur } from '../../directory/directory.js'
import type { DirectoryReads, DirectoryWrites } from '../../directory/directory-store.js'
import { fold, isFoundIn } from '../../folding.js'
import { by, changed, ownedBy, pageOf, reversed } from './rows.js'
import { keyOf, type Owned, type Tables } from './tables.js'

function accountReads({ accounts, logos }: Tables): AccountReads {
  return {
    findLogo: async (account_id, sha256) => logos.get(keyOf(account_id, sha256)) ?? null,
    find: async (account_id) => accounts.get(account_id) ?? null,
    list: async () => [...accounts.values()].sort(by<Account>(({ id }) => id)),
  }
}

export function memoryAccounts(tables: Tables): AccountWrites {
  const { accounts, logos } = tables
  return {
    ...accountReads(tables),
    async add(account) {
      if (accounts.get(account.id) !== undefined) return false
      accounts.put(account.id, account)
      return true
    },
    async update(account_id, fields) {
      const account = accounts.get(account_id)
      if (account !== undefined) accounts.put(account_id, changed<Account>(account, fields))
    },
    async putLogo(account_id, logo) {
      logos.put(keyOf(account_id, logo.sha256), logo)
    },
  }
}

const newestKeyFirst = reversed(
  by<ApiKeyRecord>(
    (key) => key.created_at,
    (key) => key.id,
  ),
)

function keyReads({ keys }: Tables): KeyReads {
  return {
    findByHash: async (hash) => keys.where((key) => key.hash === hash)[0] ?? null,
    find: async (account_id, id) => ownedBy(account_id, keys.get(id)) ?? null,
    list: async (account_id) => keys.where((key) => key.account_id === account_id).sort(newestKeyFirst),
  }
}

export function memoryKeys(tables: Tables): KeyWrites {
  const { keys } = tables
  return {
    ...keyReads(tables),
    async add(key) {
      keys.put(key.id, key)
    },
    async update(account_id, id, fields) {
      const key = ownedBy(account_id, keys.get(id))
      if (key === undefined) return
      keys.put(id, { ...key, revoked_at: fields.revoked_at, expires_at: fields.expires_at })
    },
    async noteUse(uses) {
      for (const { account_id, id, at } of uses) {
        const key = ownedBy(account_id, keys.get(id))
        if (key !== undefined && (key.last_used_at ?? '') < at) keys.put(id, { ...key, last_used_at: at })
      }
    },
  }
}

const byName = by<Client>(
  (client) => client.nom,
  (client) => client.prenom,
  (client) => client.id,
)

function isFound({ nom, prenom, email }: Client, recherche: string): boolean {
  const text = fold(`${nom} ${prenom} ${email ?? ''}`)
  return isFoundIn(text, recherche)
}

function published<Row extends Owned>({ account_id: _, ...record }: Row): Omit<Row, 'account_id'> {
  return record
}

function directoryReads({ clients, poseurs }: Tables): DirectoryReads {
  return {
    async findClient(account_id, id) {
      const client = ownedBy(account_id, clients.get(id))
      return client === undefined ? null : published(client)
    },
    async findPoseur(account_id, id) {
      const poseur = ownedBy(account_id, poseurs.get(id))
      return poseur === undefined ? null : published(poseur)
    },
    async listClients(account_id, { recherche = '', ...page }) {
      const own = clients.where((client) => client.account_id === account_id && isFound(client, recherche))
      const found = own.map(published).sort(byName)
      return { items: pageOf(found, page), total: found.length }
    },
    async listPoseurs(account_id, page) {
      const own = poseurs.where((poseur) => poseur.account_id === account_id)
      const order = by<Poseur>(
        ({ nom }) => nom,
        ({ id }) => id,
      )
      const found = own.map(published).sort(order)
      return { items: pageOf(found, page), total: found.length }
    },
  }
}

export function memoryDirectory(tables: Tables): DirectoryWrites {
  const { clients, poseurs } = tables
  return {
    ...directoryReads(tables),
    async addClient(account_id, client) {
      const id = tables.nextNumber('client')
      clients.put(id, { id, account_id, ...client })
      return id
    },
    async updateClient(account_id, id, fields) {
      const client = ownedBy(account_id, clients.get(id))
      if (client !== undefined) clients.put(id, changed<Client & Owned>(client, fields))
    },
    async addPoseur(account_id, poseur) {
      const id = tables.nextNumber('poseur')
      poseurs.put(id, { id, account_id, ...poseur })
      return id
    },
    async updatePoseur(account_id, id, fields) {
      const poseur = ownedBy(account_id, poseurs.get(id))
      if (poseur !== undefined) poseurs.put(id, changed<Poseur & Owned>(poseur, fields))
    },
  }
}
