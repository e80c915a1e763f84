import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { DeliveryFilter } from '../api/client.js'
import { useRead } from '../api/read.js'
import { withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { SelectField, TextField } from '../system/form.js'
import { Page } from '../system/page.js'
import { words } from '../words/words.js'
import { Deliveries } from './deliveries.js'
import { allKinds } from './kinds.js'
import { allEndpoints, endpointName } from './questions.js'
import { Replaying } from './replaying.js'

const states = ['pending', 'delivered', 'failed'] as const

/** The filter in the address. */
function filterOf(query: Readonly<Record<string, string>>): DeliveryFilter {
  return {
    state: states.find((state) => state === query['state']),
    endpoint_id: query['endpoint_id'] || undefined,
    event: query['event'] || undefined,
    since: /^\d{4}-\d{2}-\d{2}$/.test(query['since'] ?? '') ? query['since'] : undefined,
    limite: 50,
  }
}

export function DeliveryHistory() {
  const { query, route } = useLocation()
  const { value: endpoints = [] } = useRead(allEndpoints, 'all')
  const [isReplaying, setReplaying] = useState(false)
  const t = words.value.deliveries
  const filter = filterOf(query)
  const { limite: _, ...asked } = filter
  const addressOf = (change: DeliveryFilter) => withQuery('/reglages/api/webhooks/historique', { ...asked, ...change })
  const any = ['', t.any] as const
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('webhooks:write') && (
          <button type="button" class="button" onClick={() => setReplaying(true)}>
            {t.replay.open}
          </button>
        )
      }
    >
      <div class="toolbar toolbar-fields">
        <nav class="choice" aria-label={t.state}>
          <a href={addressOf({ state: undefined })} aria-current={filter.state ? undefined : 'true'}>
            {t.any}
          </a>
          {states.map((state) => (
            <a key={state} href={addressOf({ state })} aria-current={filter.state === state ? 'true' : undefined}>
              {t.states[state]}
            </a>
          ))}
        </nav>
        <SelectField
          name="endpoint_id"
          label={t.endpoint}
          value={filter.endpoint_id ?? ''}
          options={[any, ...endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)] as const)]}
          onChange={(endpoint_id) => route(addressOf({ endpoint_id }), true)}
        />
        <SelectField
          name="event"
          label={t.event}
          value={filter.event ?? ''}
          options={[any, ...allKinds().map((kind) => [kind, kind] as const)]}
          onChange={(event) => route(addressOf({ event }), true)}
        />
        <TextField
          name="since"
          label={t.since}
          type="date"
          value={filter.since ?? ''}
          onChange={(since) => route(addressOf({ since }), true)}
        />
      </div>
      <Deliveries filter={filter} />
      {isReplaying && <Replaying filter={asked} onClose={() => setReplaying(false)} />}
    </Page>
  )
}
