import { allKeys } from '../access/questions.js'
import { useRead } from '../api/read.js'
import { to } from '../session/address.js'
import { has, may } from '../session/session.js'
import { Icon } from '../system/icons.js'
import { Card } from '../system/page.js'
import { allEndpoints, endpointName } from '../webhooks/questions.js'
import { away, isolated } from '../words/formats.js'
import { words } from '../words/words.js'
import { allToDo, isOffice, ToDoLines } from './to-do.js'

interface Concern {
  readonly text: string
  readonly href: string
}

/** Problems that nobody would notice otherwise: failing or paused receivers, expiring keys. */
export function Attention() {
  const mayMend = may('webhooks:write')
  const endpoints = useRead(allEndpoints, mayMend ? 'all' : null)
  const failing = useRead(allToDo, has('planning') ? 'all' : null).value?.filter((each) => !isOffice(each)) ?? []
  const keys = useRead(allKeys, may('admin') ? 'all' : null)
  const t = words.value.home
  if (!mayMend) return null

  const concerns: Concern[] = [
    ...(endpoints.value ?? [])
      .filter(({ disabled_reason }) => disabled_reason === 'disabled by hand')
      .map((endpoint) => ({
        text: t.pausedEndpoint(isolated(endpointName(endpoint))),
        href: to(`/reglages/api/webhooks/${endpoint.id}`),
      })),
    ...(keys.value ?? [])
      .filter(({ expires_soon, revoked_at }) => expires_soon && revoked_at === null)
      .map(({ nom, expires_at }) => ({
        text: t.expiring(isolated(nom), away(expires_at)),
        href: to('/reglages/api/cles'),
      })),
  ]
  if (concerns.length === 0 && failing.length === 0) return null
  return (
    <Card title={t.attention}>
      {failing.length > 0 && <ToDoLines found={failing} />}
      {concerns.length > 0 && (
        <ul class="lines">
          {concerns.map(({ text, href }) => (
            <li key={text} class="row-apart">
              <span class="labelled warned">
                <Icon name="warning" size={16} />
                {text}
              </span>
              <a class="small" href={href}>
                {t.see}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
