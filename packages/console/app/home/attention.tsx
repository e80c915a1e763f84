import { allKeys } from '../access/questions.js'
import { useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Icon } from '../system/icons.js'
import { Card } from '../system/page.js'
import { allEndpoints, endpointName, someDeliveries } from '../webhooks/questions.js'
import { away, isolated, number } from '../words/formats.js'
import { words } from '../words/words.js'

interface Concern {
  readonly text: string
  readonly href: string
}

/** What goes wrong where nobody looks: letters and webhooks that were given up, paused receivers, keys that end. */
export function Attention() {
  const seesWebhooks = may('webhooks:read')
  const failed = useRead(someDeliveries, seesWebhooks ? { state: 'failed', limite: 100 } : null)
  const endpoints = useRead(allEndpoints, seesWebhooks ? 'all' : null)
  const keys = useRead(allKeys, may('admin') ? 'all' : null)
  const t = words.value.home
  if (!seesWebhooks) return null

  const failures = failed.value?.data ?? []
  const letters = failures.filter(({ channel }) => channel !== 'webhook')
  const history = withQuery('/reglages/api/webhooks/historique', { state: 'failed' })
  const concerns: Concern[] = [
    ...(letters.length > 0 ? [{ text: `${t.reports} : ${number(letters.length)}`, href: history }] : []),
    ...(failures.length > letters.length
      ? [{ text: t.failing(number(failures.length - letters.length)), href: history }]
      : []),
    ...(endpoints.value ?? [])
      .filter(({ disabled_at }) => disabled_at !== null)
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
  return (
    <Card title={t.attention}>
      {concerns.length === 0 ? (
        <p class="muted">{t.allGood}</p>
      ) : (
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
