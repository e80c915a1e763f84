import { useEffect } from 'preact/hooks'
import { apiBase } from '../api/base.js'
import { sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { Answered } from '../system/answered.js'
import { Badge, Fact, Time } from '../system/bits.js'
import { Card, Page } from '../system/page.js'
import { DayLine } from '../webhooks/day-line.js'
import { EndpointState } from '../webhooks/list.js'
import { allEndpoints, endpointName } from '../webhooks/questions.js'
import { number } from '../words/formats.js'
import { words } from '../words/words.js'

const healthNow = question(async (_: 'now', signal) => (await sav.get('/api/v1/sante', { signal })).data)

/** Whether the service itself is ready to work. */
const readiness = question(async (_: 'now', signal: AbortSignal) => (await fetch(`${apiBase}/readyz`, { signal })).ok)

/** How often the state is read again: work in progress sends no events. */
const againEveryMs = 5000

/** The state of deliveries, receiver by receiver. */
export function Health() {
  const reading = useRead(healthNow, 'now')
  const ready = useRead(readiness, 'now')
  const endpoints = useRead(allEndpoints, 'all')
  const t = words.value.health
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reading.reload(), againEveryMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Page
      title={t.title}
      lead={t.lead}
      {...(ready.value !== undefined && {
        beside: <Badge tone={ready.value ? 'good' : 'bad'}>{ready.value ? t.ready : t.notReady}</Badge>,
      })}
    >
      <div class="stack">
        <Answered reading={reading}>
          {({ en_attente, dues, en_cours, plus_ancienne, par_seconde, livrees_24h, echecs_24h }) => (
            <div class="tiles">
              <Tile name={t.waiting} value={en_attente} href={history('pending')}>
                {t.due(dues, number(dues))}{' '}
                {plus_ancienne && (
                  <>
                    {t.oldest} <Time at={plus_ancienne} />
                  </>
                )}
              </Tile>
              <Tile name={t.inFlight} value={en_cours} href={history('pending')}>
                {t.inFlightHint}
              </Tile>
              <Tile name={t.perSecond} value={par_seconde} href={history('delivered')}>
                {t.inMinute}
              </Tile>
              <Tile name={t.delivered} value={livrees_24h} href={history('delivered')}>
                {t.inDay}
              </Tile>
              <Tile name={t.failed} value={echecs_24h} href={history('failed')}>
                {t.inDay}
              </Tile>
            </div>
          )}
        </Answered>
        <Card title={words.value.webhooks.title}>
          <Answered reading={endpoints}>
            {(found) =>
              found.length === 0 ? (
                <p class="muted">{words.value.webhooks.emptyText}</p>
              ) : (
                <ul class="lines">
                  {found.map((endpoint) => (
                    <li key={endpoint.id} class="row-apart">
                      <a href={to(`/reglages/api/webhooks/${endpoint.id}`)}>{endpointName(endpoint)}</a>
                      <span class="row">
                        <DayLine endpoint={endpoint.id} />
                        <EndpointState endpoint={endpoint} sante={endpoint.sante} />
                      </span>
                    </li>
                  ))}
                </ul>
              )
            }
          </Answered>
        </Card>
        <Card title={t.service}>
          <dl class="facts">
            <Fact name={t.version}>
              <Version />
            </Fact>
            {reading.value && <Equipment {...reading.value} />}
          </dl>
        </Card>
      </div>
    </Page>
  )
}

const history = (state: string) => withQuery('/reglages/api/webhooks/historique', { state })

/** The service's own state, the same for all accounts. */
function Equipment({ base, canaux }: Pick<Awaited<ReturnType<typeof healthNow.ask>>, 'base' | 'canaux'>) {
  const t = words.value.health
  const names: Readonly<Record<string, string>> = words.value.deliveries.channels
  return (
    <>
      {base && <Fact name={t.database}>{base.moteur}</Fact>}
      {base?.schema && (
        <Fact name={t.schema}>
          <code>{base.schema}</code>
        </Fact>
      )}
      <Fact name={t.channels}>{canaux.map((channel) => names[channel] ?? channel).join(', ')}</Fact>
    </>
  )
}

interface TileProps {
  readonly name: string
  readonly value: number
  readonly href: string
  readonly children: preact.ComponentChildren
}

function Tile({ name, value, href, children }: TileProps) {
  return (
    <a class="card tile" href={href}>
      <span class="muted">{name}</span>
      <strong class="number">{number(value)}</strong>
      <span class="small muted">{children}</span>
    </a>
  )
}

const contractVersion = question(async (_: 'now', signal: AbortSignal) => {
  const contract: unknown = await (await fetch(`${apiBase}/openapi.json`, { signal })).json()
  return String(Object(Object(contract).info).version ?? '')
})

function Version() {
  const { value } = useRead(contractVersion, 'now')
  return <code>{value}</code>
}
