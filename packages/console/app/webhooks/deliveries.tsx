import { useState } from 'preact/hooks'
import { type Delivery, type DeliveryFilter, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to } from '../shell/address.js'
import { Answered, saidOf } from '../system/answered.js'
import { Badge, Time, type Tone } from '../system/bits.js'
import { sayFailed } from '../system/notices.js'
import { Empty } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { away } from '../words/formats.js'
import { words } from '../words/words.js'
import { plainError } from './plain-error.js'
import { allEndpoints, endpointName, someDeliveries } from './questions.js'

export const stateTones = { pending: 'busy', delivered: 'good', failed: 'bad' } as const satisfies Record<string, Tone>

/** A list of deliveries, the newest first; older ones follow on demand. */
export function Deliveries({ filter }: { readonly filter: DeliveryFilter }) {
  const reading = useRead(someDeliveries, filter)
  const { value: endpoints = [] } = useRead(allEndpoints, 'all')
  const [older, setOlder] = useState<{ key: string; rows: readonly Delivery[]; curseur: string | null } | null>(null)
  const t = words.value.deliveries
  const key = JSON.stringify(filter)
  const shown = older?.key === key ? older : null
  const isFiltered = filter.state !== undefined || filter.event !== undefined || filter.since !== undefined

  const more = async (curseur: string) => {
    try {
      const { data, pagination } = await sav.get('/api/v1/webhooks/livraisons', { query: { ...filter, curseur } })
      setOlder({ key, rows: [...(shown?.rows ?? []), ...data], curseur: pagination.curseur })
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  const nameOf = (id: string) => {
    const found = endpoints.find((endpoint) => endpoint.id === id)
    return found ? endpointName(found) : t.removedEndpoint
  }
  return (
    <Answered reading={reading}>
      {({ data, pagination }) => {
        const known = new Set(data.map(({ id }) => id))
        const rows = [...data, ...(shown?.rows ?? []).filter(({ id }) => !known.has(id))]
        const curseur = shown ? shown.curseur : pagination.curseur
        if (rows.length === 0)
          return isFiltered ? <Empty title={t.nothing} /> : <Empty title={t.emptyTitle} text={t.emptyText} />
        return (
          <>
            <Table name={t.title} columns={columns(nameOf)} rows={rows} keyOf={({ id }) => id} />
            {curseur !== null && (
              <div class="pages">
                <button type="button" class="button small" onClick={() => more(curseur)}>
                  {t.more}
                </button>
              </div>
            )}
          </>
        )
      }}
    </Answered>
  )
}

function columns(nameOf: (endpoint: string) => string): readonly Column<Delivery>[] {
  const t = words.value.deliveries
  const channels: Readonly<Record<string, string>> = t.channels
  return [
    {
      key: 'event',
      name: t.event,
      cell: ({ id, event }) => <a href={to(`/reglages/api/webhooks/historique/${id}`)}>{event}</a>,
    },
    {
      key: 'endpoint',
      name: t.endpoint,
      takesRest: true,
      cell: ({ channel, endpoint_id }) =>
        channel === 'webhook' ? nameOf(endpoint_id) : (channels[channel] ?? channel),
    },
    { key: 'state', name: t.state, cell: ({ state }) => <Badge tone={stateTones[state]}>{t.states[state]}</Badge> },
    {
      key: 'result',
      name: t.result,
      cell: ({ last_status, last_error, next_attempt_at }) => (
        <>
          {last_error === null ? last_status : plainError({ statut: last_status, erreur: last_error })}
          {next_attempt_at !== null && last_error !== null && (
            <span class="muted small"> {`${t.next} ${away(next_attempt_at)}`}</span>
          )}
        </>
      ),
    },
    { key: 'attempts', name: t.attempts, isNumber: true, needsName: true, cell: ({ attempt_count }) => attempt_count },
    {
      key: 'when',
      name: t.when,
      cell: ({ created_at }) => (
        <span class="nowrap muted">
          <Time at={created_at} />
        </span>
      ),
    },
  ]
}
