import { useMemo } from 'preact/hooks'
import type { Delivery, DeliveryFilter, Endpoint } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to } from '../session/address.js'
import { Answered } from '../system/answered.js'
import { Away, Badge, Time, type Tone } from '../system/bits.js'
import { Empty } from '../system/page.js'
import { MoreRows, useRows } from '../system/rows.js'
import { type Column, Table } from '../system/table.js'
import { words } from '../words/words.js'
import { useAttempts } from './due.js'
import { plainError } from './plain-error.js'
import { allEndpoints, endpointName, someDeliveries } from './questions.js'

export const stateTones = { pending: 'busy', delivered: 'good', failed: 'bad' } as const satisfies Record<string, Tone>

/** A list of deliveries, newest first; older ones on demand. */
export function Deliveries({ filter }: { readonly filter: DeliveryFilter }) {
  const { reading, rows, more } = useRows(someDeliveries, filter, ({ id }) => id)
  const { value: endpoints } = useRead(allEndpoints, 'all')
  useAttempts(rows, reading.reload)
  const t = words.value.deliveries
  const columns = useMemo(() => columnsOf(endpoints ?? []), [endpoints, t])
  const isFiltered = filter.state !== undefined || filter.event !== undefined || filter.since !== undefined

  return (
    <Answered reading={reading}>
      {() => {
        if (rows.length === 0)
          return isFiltered ? <Empty title={t.nothing} /> : <Empty title={t.emptyTitle} text={t.emptyText} />
        return (
          <>
            <Table name={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
            <MoreRows more={more} />
          </>
        )
      }}
    </Answered>
  )
}

function columnsOf(endpoints: readonly Endpoint[]): readonly Column<Delivery>[] {
  const t = words.value.deliveries
  const names = new Map(endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)]))
  const channels: Readonly<Record<string, string>> = t.channels
  return [
    {
      key: 'event',
      name: t.event,
      width: '9em',
      cell: ({ id, event }) => (
        <a class="own-words" href={to(`/reglages/api/webhooks/historique/${id}`)}>
          {event}
        </a>
      ),
    },
    {
      key: 'reference',
      name: t.reference,
      width: '9.5em',
      cell: ({ reference }) => reference && <span class="reference">{reference}</span>,
    },
    {
      key: 'endpoint',
      name: t.endpoint,
      width: 'minmax(6em, 1fr)',
      takesRest: true,
      cell: ({ channel, endpoint_id }) =>
        channel === 'webhook' ? (names.get(endpoint_id) ?? t.removedEndpoint) : (channels[channel] ?? channel),
    },
    {
      key: 'state',
      name: t.state,
      width: '7.5em',
      cell: ({ state }) => <Badge tone={stateTones[state]}>{t.states[state]}</Badge>,
    },
    {
      key: 'result',
      name: t.result,
      width: 'minmax(9em, 1.4fr)',
      cell: ({ last_status, last_error, last_error_code, next_attempt_at }) => (
        <span class="own-words">
          {last_error === null
            ? last_status
            : plainError({ statut: last_status, code: last_error_code, erreur: last_error })}
          {next_attempt_at !== null && last_error !== null && (
            <span class="muted small">
              {` · ${t.next} `}
              <Away at={next_attempt_at} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'attempts',
      name: t.attempts,
      width: '7.5em',
      isNumber: true,
      needsName: true,
      cell: ({ attempt_count }) => attempt_count,
    },
    {
      key: 'when',
      name: t.when,
      width: '8.5em',
      cell: ({ created_at }) => (
        <span class="nowrap muted">
          <Time at={created_at} />
        </span>
      ),
    },
  ]
}
