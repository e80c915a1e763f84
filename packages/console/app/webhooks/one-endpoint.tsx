import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { changed } from '../api/changes.js'
import { type Endpoint, type ReceiverHealth, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { act } from '../system/act.js'
import { Answered } from '../system/answered.js'
import { Fact, Labelled, Time } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { CheckField, Form } from '../system/form.js'
import { Menu } from '../system/menu.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { moment, number } from '../words/formats.js'
import { words } from '../words/words.js'
import { activityOf } from './day-line.js'
import { Deliveries } from './deliveries.js'
import { EndpointForm } from './endpoint-form.js'
import { EndpointState } from './list.js'
import { plainError } from './plain-error.js'
import { allEndpoints, endpointById, endpointName } from './questions.js'
import { Secret } from './secret.js'
import { Trial } from './trial.js'

type Open = 'edit' | 'rotate' | 'remove' | null

export function OneEndpoint() {
  const { params } = useRoute()
  const id = params['id'] ?? ''
  const reading = useRead(endpointById, id)
  const sante = useRead(activityOf, id).value?.sante
  const [open, setOpen] = useState<Open>(null)
  const t = words.value.webhooks
  const endpoint = reading.value
  const close = () => setOpen(null)
  return (
    <Page
      title={endpoint ? endpointName(endpoint) : t.title}
      up={{ screen: '/reglages/api/webhooks', name: t.title }}
      {...(endpoint && {
        beside: <EndpointState endpoint={endpoint} sante={sante} />,
        actions: may('webhooks:write') && <Actions endpoint={endpoint} onOpen={setOpen} />,
      })}
    >
      <Answered reading={reading}>
        {(found) => (
          <div class="stack">
            <Card>
              <dl class="facts">
                <Fact name={t.url}>{found.url}</Fact>
                <Fact name={t.events}>
                  <span class="row">
                    {found.events.map((kind) => (
                      <code key={kind}>{kind}</code>
                    ))}
                  </span>
                </Fact>
                {found.headers.length > 0 && <Fact name={t.headers}>{found.headers.join(', ')}</Fact>}
                <Fact name={t.created}>
                  <Time at={found.created_at}>{moment(found.created_at)}</Time>
                </Fact>
                {sante && <Health sante={sante} />}
              </dl>
            </Card>
            <div class="row-apart">
              <h2>{words.value.deliveries.title}</h2>
              <a href={withQuery('/reglages/api/webhooks/historique', { endpoint_id: id })}>{t.history}</a>
            </div>
            <Deliveries filter={{ endpoint_id: id, limite: 10 }} />
          </div>
        )}
      </Answered>
      {open === 'edit' && endpoint && <Editing endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <Rotating id={id} onClose={close} />}
      {open === 'remove' && <Removing id={id} onClose={close} />}
    </Page>
  )
}

function Health({
  sante: { etat, depuis, derniere_reponse, en_attente, part_reussie },
}: {
  readonly sante: ReceiverHealth
}) {
  const t = words.value.webhooks
  return (
    <>
      {derniere_reponse && (
        <Fact name={t.lastAnswer}>
          {plainError({ ...derniere_reponse, erreur: derniere_reponse.erreur ?? '' })} ·{' '}
          <Time at={derniere_reponse.date} />
        </Fact>
      )}
      {etat !== 'ok' && depuis && <Fact name={t.states[etat]}>{t.since(moment(depuis))}</Fact>}
      {part_reussie !== null && <Fact name={t.lastHour}>{t.succeeded(number(Math.floor(part_reussie * 100)))}</Fact>}
      <Fact name={t.waiting}>{number(en_attente)}</Fact>
    </>
  )
}

interface ActionsProps {
  readonly endpoint: Endpoint
  readonly onOpen: (open: Open) => void
}

function Actions({ endpoint: { id, disabled_at }, onOpen }: ActionsProps) {
  const t = words.value.webhooks
  const params = { endpoint: id }
  const pause = () => act(() => sav.post('/api/v1/webhooks/{endpoint}/desactiver', { params }), t.pausedNow, resume)
  const resume = () => act(() => sav.post('/api/v1/webhooks/{endpoint}/activer', { params }), t.resumed)
  return (
    <>
      <Trial endpoint={id} />
      <button type="button" class="button" onClick={disabled_at === null ? pause : resume}>
        {disabled_at === null ? t.pause : t.resume}
      </button>
      <Menu icon="more" name={words.value.more}>
        <button type="button" class="button" onClick={() => onOpen('edit')}>
          {t.edit}
        </button>
        <button type="button" class="button" onClick={() => onOpen('rotate')}>
          <Labelled icon="keys">{t.rotate}</Labelled>
        </button>
        <button type="button" class="button dangerous" onClick={() => onOpen('remove')}>
          {t.remove}
        </button>
      </Menu>
    </>
  )
}

interface ClosingProps {
  readonly id: string
  readonly onClose: () => void
}

function Editing({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const t = words.value.webhooks
  return (
    <Dialog title={t.edit} onClose={onClose}>
      <EndpointForm
        keptAs={`webhook/${endpoint.id}`}
        endpoint={endpoint}
        submit={t.save}
        onCancel={onClose}
        onSubmit={async (body) => {
          await sav.put('/api/v1/webhooks/{endpoint}', { params: { endpoint: endpoint.id }, body })
          onClose()
          say(words.value.saved)
          changed()
        }}
      />
    </Dialog>
  )
}

function Rotating({ id, onClose }: ClosingProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const t = words.value.webhooks
  return (
    <Dialog title={t.rotateTitle} onClose={onClose}>
      {secret === null ? (
        <div class="stack">
          <p>{t.rotateText}</p>
          <Form
            keptAs={`rotate/${id}`}
            submit={t.rotate}
            onCancel={onClose}
            onSubmit={async (fields) => {
              const body = fields.isChecked('now') ? { chevauchement_secondes: 0 } : {}
              const { data } = await sav.post('/api/v1/webhooks/{endpoint}/renouveler-secret', {
                params: { endpoint: id },
                body,
              })
              if (data.previous_expires_at) say(t.overlap(moment(data.previous_expires_at)))
              setSecret(data.secret)
            }}
          >
            <CheckField name="now" label={t.rotateNow} />
          </Form>
        </div>
      ) : (
        <Secret secret={secret} onDone={onClose} />
      )}
    </Dialog>
  )
}

function Removing({ id, onClose }: ClosingProps) {
  const { route } = useLocation()
  const t = words.value.webhooks
  return (
    <Dialog title={t.removeTitle} onClose={onClose}>
      <div class="stack">
        <p>{t.removeText}</p>
        <Form
          keptAs={`remove/${id}`}
          submit={t.remove}
          tone="danger"
          onCancel={onClose}
          onSubmit={async () => {
            await sav.delete('/api/v1/webhooks/{endpoint}', { params: { endpoint: id } })
            allEndpoints.seen.clear()
            say(t.removed)
            route(to('/reglages/api/webhooks'), true)
          }}
        />
      </div>
    </Dialog>
  )
}
