import type { UseCases } from '@sav/core'
import type { Holder } from './holder.js'

/** A description of the caller for pages. @param fonctions names of the service's features */
export async function whoCalls(
  sav: { readonly accounts: Pick<UseCases['accounts'], 'summary'> },
  { actor: { account_id, nom }, id, permissions, expire_a, key, session, person }: Holder,
  fonctions: readonly string[],
) {
  return {
    utilisateur: await person(),
    cle: key === null ? null : { id, nom: key.nom },
    hote: key === null && session === null ? { id, nom } : null,
    compte: await sav.accounts.summary(account_id),
    permissions,
    fonctions: [...fonctions],
    expire_a,
  }
}
