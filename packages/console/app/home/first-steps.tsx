import { allKeys } from '../access/questions.js'
import { ownAccount } from '../account/questions.js'
import { useRead } from '../api/read.js'
import { someCases } from '../cases/questions.js'
import { allPoseurs } from '../directory/questions.js'
import { to } from '../session/address.js'
import { may } from '../session/session.js'
import { allEndpoints } from '../webhooks/questions.js'
import { words } from '../words/words.js'

/** The next steps of a new shop, until all are done. Only administrators see them. */
export function FirstSteps() {
  const isAdmin = may('admin')
  const poseurs = useRead(allPoseurs, isAdmin ? 'all' : null).value
  const cases = useRead(someCases, isAdmin ? { limite: 1 } : null).value
  const endpoints = useRead(allEndpoints, isAdmin ? 'all' : null).value
  const account = useRead(ownAccount, isAdmin ? 'own' : null).value
  const keys = useRead(allKeys, isAdmin ? 'all' : null).value
  const { start, steps: t } = words.value.home
  if (!poseurs || !cases || !endpoints || !keys || !account) return null
  const steps = [
    { text: t.account, screen: '/reglages/compte', isDone: account.raison_sociale !== null },
    { text: t.poseur, screen: '/poseurs', isDone: poseurs.length > 0 },
    { text: t.case, screen: '/dossiers/nouveau', isDone: cases.pagination.total > 0 },
    { text: t.key, screen: '/reglages/api/cles/nouvelle', isDone: keys.length > 0 },
    { text: t.webhook, screen: '/reglages/api/webhooks/nouveau', isDone: endpoints.length > 0 },
  ]
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  return (
    <p class="card first-steps">
      <strong>{start}</strong>
      <span class="muted number">{t.done(steps.filter(({ isDone }) => isDone).length, steps.length)}</span>
      <a href={to(next.screen)}>{next.text}</a>
    </p>
  )
}
