import type { Endpoint } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Badge, Time } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { Empty, Page } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { words } from '../words/words.js'
import { activityOf, DayLine } from './day-line.js'
import { allKinds } from './kinds.js'
import { plainError } from './plain-error.js'
import { allEndpoints, endpointName } from './questions.js'

export function WebhookList() {
  const reading = useRead(allEndpoints, 'all')
  const t = words.value.webhooks
  const add = may('webhooks:write') && (
    <a class="button primary" href={to('/reglages/api/webhooks/nouveau')}>
      <Icon name="plus" />
      {t.new}
    </a>
  )
  return (
    <Page title={t.title} lead={t.lead} actions={add}>
      <Answered reading={reading}>
        {(endpoints) =>
          endpoints.length > 0 ? (
            <Table name={t.title} columns={columns()} rows={endpoints} keyOf={({ id }) => id} />
          ) : (
            <Empty title={t.emptyTitle} text={t.emptyText}>
              {add}
            </Empty>
          )
        }
      </Answered>
    </Page>
  )
}

function columns(): readonly Column<Endpoint>[] {
  const t = words.value.webhooks
  return [
    {
      key: 'url',
      name: t.url,
      takesRest: true,
      cell: (endpoint) => (
        <>
          <a href={to(`/reglages/api/webhooks/${endpoint.id}`)}>{endpointName(endpoint)}</a>
          {endpoint.description && <p class="small muted">{endpoint.url}</p>}
        </>
      ),
    },
    {
      key: 'events',
      name: t.events,
      cell: ({ events }) =>
        events.length === allKinds.length ? t.allEvents(events.length) : t.someEvents(events.length),
    },
    { key: 'state', name: t.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { key: 'activity', name: t.activity, cell: ({ id }) => <DayLine endpoint={id} /> },
    { key: 'error', name: t.lastError, takesRest: true, cell: ({ id }) => <LastError endpoint={id} /> },
  ]
}

export function EndpointState({ endpoint: { disabled_at, disabled_reason } }: { readonly endpoint: Endpoint }) {
  const t = words.value.webhooks
  if (disabled_at === null) return <Badge tone="good">{t.active}</Badge>
  return (
    <>
      <Badge tone="warn">{t.paused}</Badge>
      {disabled_reason && <p class="small muted">{disabled_reason}</p>}
    </>
  )
}

function LastError({ endpoint }: { readonly endpoint: string }) {
  const { value } = useRead(activityOf, endpoint)
  const t = words.value.webhooks
  if (value === undefined) return null
  const { derniere_erreur } = value
  if (derniere_erreur === null) return <span class="muted">{t.noError}</span>
  return (
    <a href={withQuery('/reglages/api/webhooks/historique', { endpoint_id: endpoint })}>
      {plainError(derniere_erreur)} · <Time at={derniere_erreur.date} />
    </a>
  )
}
