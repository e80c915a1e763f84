import { nodeCrypto, secretOf, sha256Of } from '@sav/core/feature'
import type { Storage } from '@sav/core/ports'
import type { Rdv } from '../appointments/rdv.js'
import { rdvPageStore } from './rdv-page-store.js'

/**
 * The address of the page of an appointment; null if neither the account nor the service has a public address.
 * @param url_publique the account's own public address, which replaces the service's
 */
export type RdvPageUrl = (rdv: Rdv, url_publique: string | null) => Promise<string | null>

/**
 * The addresses of pages where customers answer for an appointment. Their secrets cannot be guessed: they are derived
 * from the secret key, so that every letter has the same address and the store keeps only its hash. With another key
 * there is a second address, and the first one stays valid.
 * @param secretKey 32 bytes; the key for these secrets is derived from it (RFC 5869), and used for nothing else
 */
export function rdvPageAddresses({
  storage,
  secretKey,
  publicUrl,
}: {
  readonly storage: Pick<Storage, 'reads' | 'transaction'>
  readonly secretKey: Uint8Array
  /** The service's public address; null: accounts without their own address have no pages. */
  readonly publicUrl: string | null
}): RdvPageUrl {
  const key = new Uint8Array(nodeCrypto().hkdfSync('sha256', secretKey, new Uint8Array(), 'sav rdv page', 32))
  return async ({ account_id, id, date_creation }, url_publique) => {
    const base = url_publique ?? publicUrl
    if (base === null) return null
    const mac = nodeCrypto()
      .createHmac('sha256', key)
      .update(JSON.stringify([account_id, id, date_creation]))
    const secret = secretOf('rdvPage', mac.digest())
    const page = { hash: sha256Of(secret), account_id, rdv_id: id }
    if ((await storage.reads.of(rdvPageStore).find(page.hash)) === null)
      await storage.transaction((tx) => tx.of(rdvPageStore).add(page))
    return `${base}/rdv/${secret}`
  }
}
