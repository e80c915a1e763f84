import type { Endpoint, ListedEndpoint, ReceiverHealth } from '../api/client.js'
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

function columns(): readonly Column<ListedEndpoint>[] {
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
      cell: ({ events }) => (
        <span class="nowrap">
          {events.length === allKinds().length ? t.allEvents(events.length) : t.someEvents(events.length)}
        </span>
      ),
    },
    { key: 'state', name: t.state, cell: (endpoint) => <EndpointState endpoint={endpoint} sante={endpoint.sante} /> },
    { key: 'activity', name: t.activity, cell: ({ id }) => <DayLine endpoint={id} /> },
    { key: 'error', name: t.lastError, takesRest: true, cell: ({ id }) => <LastError endpoint={id} /> },
  ]
}

const toneOf = { ok: 'good', ralenti: 'warn', en_echec: 'bad', desactive: 'warn' } as const

interface EndpointStateProps {
  readonly endpoint: Endpoint
  /** The receiver's health; undefined until it is known. */
  readonly sante: ReceiverHealth | undefined
}

export function EndpointState({ endpoint: { disabled_at, disabled_reason }, sante }: EndpointStateProps) {
  const etat = disabled_at === null ? (sante?.etat ?? 'ok') : 'desactive'
  return (
    <>
      <Badge tone={toneOf[etat]}>{words.value.webhooks.states[etat]}</Badge>
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
