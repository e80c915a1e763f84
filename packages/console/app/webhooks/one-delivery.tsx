import { useRoute } from 'preact-iso'
import { sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to } from '../session/address.js'
import { may } from '../session/session.js'
import { act } from '../system/act.js'
import { Answered } from '../system/answered.js'
import { Badge, Copyable, Fact, Labelled, Time } from '../system/bits.js'
import { Card, Page } from '../system/page.js'
import { moment } from '../words/formats.js'
import { words } from '../words/words.js'
import { Attempts } from './attempts.js'
import { stateTones } from './deliveries.js'
import { useAttempts } from './due.js'
import { allEndpoints, deliveryById, endpointName } from './questions.js'
import { Request } from './request.js'

export function OneDelivery() {
  const { params } = useRoute()
  const id = params['id'] ?? ''
  const reading = useRead(deliveryById, id)
  const { value: endpoints = [] } = useRead(allEndpoints, 'all')
  useAttempts(reading.value ? [reading.value] : [], reading.reload)
  const t = words.value.deliveries
  const channels: Readonly<Record<string, string>> = t.channels
  const delivery = reading.value
  const resend = () =>
    act(() => sav.post('/api/v1/webhooks/livraisons/{delivery}/rejouer', { params: { delivery: id } }), t.resent)
  return (
    <Page
      title={delivery?.event ?? t.delivery}
      up={{ screen: '/reglages/api/webhooks/historique', name: t.title }}
      {...(delivery && {
        beside: <Badge tone={stateTones[delivery.state]}>{t.states[delivery.state]}</Badge>,
        actions: may('webhooks:write') && delivery.event !== 'invitation' && (
          <button type="button" class="button primary" onClick={resend}>
            <Labelled icon="send">{t.resend}</Labelled>
          </button>
        ),
      })}
    >
      <Answered reading={reading}>
        {(found) => {
          const endpoint = endpoints.find((each) => each.id === found.endpoint_id)
          return (
            <div class="split">
              <div class="stack">
                <Card title={t.attempts}>
                  <Attempts delivery={found} />
                </Card>
                {found.channel === 'webhook' && <Request delivery={found} endpoint={endpoint} />}
              </div>
              <Card>
                <dl class="facts">
                  {found.reference !== null && <Fact name={t.reference}>{found.reference}</Fact>}
                  <Fact name={t.endpoint}>
                    {endpoint ? (
                      <a href={to(`/reglages/api/webhooks/${endpoint.id}`)}>{endpointName(endpoint)}</a>
                    ) : found.channel === 'webhook' ? (
                      t.removedEndpoint
                    ) : (
                      (channels[found.channel] ?? found.channel)
                    )}
                  </Fact>
                  <Fact name={t.when}>
                    <Time at={found.created_at}>{moment(found.created_at)}</Time>
                  </Fact>
                  <Fact name={t.delivery}>
                    <Copyable text={found.id} />
                  </Fact>
                  <Fact name={t.eventId}>
                    <Copyable text={found.event_id} />
                  </Fact>
                </dl>
              </Card>
            </div>
          )
        }}
      </Answered>
    </Page>
  )
}
