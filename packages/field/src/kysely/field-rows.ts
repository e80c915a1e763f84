import { type QueryParams, Repository, type schema, statementsOf, table } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'
import type { FieldFact } from '../fact.js'
import type { FieldWrites, Upload, UploadName, UploadPart } from '../field-store.js'
import { tables } from './tables.js'

const { deletion, insertion, lookUpBy, selection, statement } = statementsOf<schema.KyselyTables<typeof tables>>()

const uploadKey = ['account_id', 'auteur_id', 'sha256'] as const

const findUpload = lookUpBy('terrain_fichiers', uploadKey)
const putUpload = insertion(
  'terrain_fichiers',
  tables.terrain_fichiers.names,
  sql<never>`on conflict (account_id, auteur_id, sha256) do update set
    taille = excluded.taille, recu = excluded.recu, media_type = excluded.media_type, date = excluded.date`,
)
const listParts = selection('terrain_morceaux', uploadKey, { columns: ['content'], order: ['debut'] })
const addPart = insertion(
  'terrain_morceaux',
  tables.terrain_morceaux.names,
  sql<never>`on conflict (account_id, auteur_id, sha256, debut) do nothing`,
)
const removeUpload = deletion('terrain_fichiers', uploadKey)
const removeParts = deletion('terrain_morceaux', uploadKey)
const sumUploads = statement(
  (_, p: QueryParams<Pick<UploadName, 'account_id' | 'auteur_id'>>) => sql<{ total: number }>`
    select coalesce(sum(taille), 0) as total from ${table('terrain_fichiers')}
    where account_id = ${p('account_id')} and auteur_id = ${p('auteur_id')}`,
)
// Uses the index terrain_fichiers_date.
const listOldUploads = statement((db, p: QueryParams<{ before: string; limit: number }>) =>
  db.selectFrom('terrain_fichiers').select(uploadKey).where('date', '<', p('before')).orderBy('date').limit(p('limit')),
)

// Uses the unique index terrain_faits_cle.
const findFact = selection('terrain_faits', ['account_id', 'auteur_id', 'cle'])
const addFact = insertion('terrain_faits', tables.terrain_faits.without('id'), sql<{ id: number }>`returning id`)
// Uses the index terrain_faits_client.
const eraseFacts = statement(
  (_, p: QueryParams<{ account_id: string; client_id: number }>) =>
    sql<never>`update ${table('terrain_faits')}
      set constat = null, empreinte = '', cle = case when cle = empreinte then 'erased-' || id else cle end
      where account_id = ${p('account_id')} and client_id = ${p('client_id')} and empreinte <> ''`,
)
// Uses the index terrain_faits_date.
const purgeFacts = statement(
  (_, p: QueryParams<{ before: string; limit: number }>) =>
    sql<never>`delete from ${table('terrain_faits')} where id in (
      select id from ${table('terrain_faits')} where date < ${p('before')} and constat is null
      order by date limit ${p('limit')}
    )`,
)

export class FieldRows extends Repository implements FieldWrites {
  upload({ account_id, auteur_id, sha256 }: UploadName): Promise<Upload | null> {
    return this.db.find(findUpload, { account_id, auteur_id, sha256 })
  }

  async uploaded({ account_id, auteur_id, sha256 }: UploadName): Promise<Uint8Array> {
    const parts = await this.db.all(listParts, { account_id, auteur_id, sha256 })
    return Buffer.concat(parts.map(({ content }) => content))
  }

  async uploadedBytes(account_id: string, auteur_id: string): Promise<number> {
    return Number((await this.db.one(sumUploads, { account_id, auteur_id })).total)
  }

  async putUpload(upload: Upload): Promise<void> {
    await this.db.run(putUpload, { ...upload })
  }

  async addPart({ account_id, auteur_id, sha256, position, content }: UploadPart): Promise<void> {
    await this.db.run(addPart, { account_id, auteur_id, sha256, debut: position, content })
  }

  async removeUpload({ account_id, auteur_id, sha256 }: UploadName): Promise<void> {
    await this.db.run(removeParts, { account_id, auteur_id, sha256 })
    await this.db.run(removeUpload, { account_id, auteur_id, sha256 })
  }

  async purgeUploads(before: string, limit: number): Promise<number> {
    const old = await this.db.all(listOldUploads, { before, limit })
    for (const upload of old) await this.removeUpload(upload)
    return old.length
  }

  async fact(account_id: string, auteur_id: string, cle: string): Promise<FieldFact | null> {
    const row = await this.db.first(findFact, { account_id, auteur_id, cle })
    return row && tables.terrain_faits.read(row)
  }

  async addFact(fact: Parameters<FieldWrites['addFact']>[0]): Promise<number> {
    return (await this.db.one(addFact, { ...tables.terrain_faits.written(fact) })).id
  }

  async eraseFacts(account_id: string, client_id: number): Promise<void> {
    await this.db.run(eraseFacts, { account_id, client_id })
  }

  purgeFacts(before: string, limit: number): Promise<number> {
    return this.db.run(purgeFacts, { before, limit })
  }
}
