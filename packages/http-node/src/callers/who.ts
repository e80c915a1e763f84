import type { UseCases } from '@sav/core'
import type { Holder } from './holder.js'

/** What a page has to know of its reader. @param fonctions names of the features that the service has */
export async function whoCalls(
  sav: { readonly sessions: Pick<UseCases['sessions'], 'view' | 'account'> },
  { actor: { account_id, nom }, id, permissions, expire_a, key, session }: Holder,
  fonctions: readonly string[],
) {
  const common = { permissions, fonctions: [...fonctions], expire_a }
  if (session !== null) {
    const { utilisateur, compte } = await sav.sessions.view(account_id, id)
    return { utilisateur, cle: null, hote: null, compte, ...common }
  }
  const cle = key === null ? null : { id, nom: key.nom }
  const hote = key === null ? { id, nom } : null
  return { utilisateur: null, cle, hote, compte: await sav.sessions.account(account_id), ...common }
}
