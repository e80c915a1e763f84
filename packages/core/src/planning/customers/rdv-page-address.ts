import { nodeCrypto, sha256Of } from '../../node-crypto.js'
import type { Storage } from '../../storage.js'
import type { Rdv } from '../appointments/rdv.js'
import { pagePrefix } from '../calendars/secret-address.js'

/** @param url_publique the account's own address, in the place of the service's. Null where there is neither */
export type RdvPageUrl = (rdv: Rdv, url_publique: string | null) => Promise<string | null>

/**
 * Where the customer of an appointment answers: an address that nobody can guess. Its secret is made of the secret key, so
 * that every letter tells the same one and the store keeps its hash alone; with another key there is a second address, and
 * the first one goes on.
 * @param secretKey 32 bytes; the key that makes secrets is derived from it (RFC 5869), and makes nothing else
 */
export function rdvPageAddresses({
  storage,
  secretKey,
  publicUrl,
}: {
  readonly storage: Pick<Storage, 'reads' | 'transaction'>
  readonly secretKey: Uint8Array
  /** Where the service is reached from outside; null: accounts without an address of their own have no pages. */
  readonly publicUrl: string | null
}): RdvPageUrl {
  const key = new Uint8Array(nodeCrypto().hkdfSync('sha256', secretKey, new Uint8Array(), 'sav rdv page', 32))
  return async ({ account_id, id, date_creation }, url_publique) => {
    const base = url_publique ?? publicUrl
    if (base === null) return null
    const mac = nodeCrypto()
      .createHmac('sha256', key)
      .update(JSON.stringify([account_id, id, date_creation]))
    const secret = `${pagePrefix}${mac.digest('base64url')}`
    const page = { hash: sha256Of(secret), account_id, rdv_id: id }
    if ((await storage.reads.rdvPages.find(page.hash)) === null)
      await storage.transaction((tx) => tx.rdvPages.add(page))
    return `${base}/rdv/${secret}`
  }
}
