import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { changed } from '../api/changes.js'
import { type Client, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { CaseTable } from '../cases/list/case-table.js'
import { someCases } from '../cases/questions.js'
import { ClientForm } from '../directory/client-form.js'
import { clientById } from '../directory/questions.js'
import { Telephone, WayThere } from '../directory/way-there.js'
import { someRdv } from '../planning/questions.js'
import { VisitList } from '../planning/visit-list.js'
import { withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Badge, Fact } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { CheckField, Form } from '../system/form.js'
import { Menu } from '../system/menu.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { day, personName } from '../words/formats.js'
import { words } from '../words/words.js'

type Open = 'edit' | 'erase' | null

export function OneClient() {
  const { params } = useRoute()
  const id = Number(params['id'])
  return <ClientScreen key={id} id={id} />
}

function ClientScreen({ id }: { readonly id: number }) {
  const reading = useRead(clientById, id)
  const cases = useRead(someCases, { client_id: id, limite: 50 })
  const visits = useRead(someRdv, may('planning:read') ? { client_id: id, limite: 20 } : null)
  const [open, setOpen] = useState<Open>(null)
  const t = words.value.client
  const client = reading.value
  const close = () => setOpen(null)
  return (
    <Page
      title={client ? personName(client) : t.title}
      up={{ screen: '/clients', name: t.title }}
      {...(client?.efface_le && { beside: <Badge>{t.erasedOn(day(client.efface_le))}</Badge> })}
      actions={
        client &&
        client.efface_le === null &&
        may('directory:write') && (
          <>
            {may('sav:write') && (
              <a class="button" href={withQuery('/dossiers/nouveau', { client_id: id })}>
                {words.value.cases.new}
              </a>
            )}
            {may('planning:write') && (
              <a class="button" href={withQuery('/planning/nouveau', { client_id: id })}>
                {words.value.oneCase.plan}
              </a>
            )}
            <button type="button" class="button" onClick={() => setOpen('edit')}>
              {t.edit}
            </button>
            {may('admin') && (
              <Menu icon="more" name={words.value.more}>
                <button type="button" class="button dangerous" onClick={() => setOpen('erase')}>
                  {t.erase}
                </button>
              </Menu>
            )}
          </>
        )
      }
    >
      <Answered reading={reading}>
        {(found) => (
          <div class="split">
            <CaseTable
              name={t.cases}
              reading={cases}
              empty={t.noCases}
              without={['client', 'ville', 'telephone', 'poseur', 'age']}
            />
            <div class="stack">
              <Card title={t.contact}>
                <Contact client={found} />
              </Card>
              {visits.value && (
                <Card title={t.visits}>
                  <VisitList visits={visits.value} empty={t.noVisits} />
                </Card>
              )}
            </div>
          </div>
        )}
      </Answered>
      {open === 'edit' && client && <Editing client={client} onClose={close} />}
      {open === 'erase' && <Erasing id={id} onClose={close} />}
    </Page>
  )
}

function Contact({ client }: { readonly client: Client }) {
  const { raison_sociale, email, telephone, lieu, adresse, whatsapp } = client
  const t = words.value.client
  return (
    <dl class="facts">
      {raison_sociale && <Fact name={t.raison_sociale}>{raison_sociale}</Fact>}
      {email && (
        <Fact name={t.email}>
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
        </Fact>
      )}
      {telephone && (
        <Fact name={t.telephone}>
          <Telephone number={telephone} />
          {whatsapp && <span class="muted small"> WhatsApp</span>}
        </Fact>
      )}
      <WayThere lieu={lieu} adresse={adresse} />
    </dl>
  )
}

function Editing({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const t = words.value.client
  return (
    <Dialog title={t.edit} onClose={onClose}>
      <ClientForm
        keptAs={`client/${client.id}`}
        client={client}
        submit={words.value.save}
        onCancel={onClose}
        onSubmit={async (body) => {
          await sav.put('/api/v1/clients/{id}', { params: { id: client.id }, body })
          onClose()
          say(words.value.saved)
          changed()
        }}
      />
    </Dialog>
  )
}

/** Shows what erasing a client does and asks for confirmation, because it cannot be undone. */
function Erasing({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const [isUnderstood, setUnderstood] = useState(false)
  const t = words.value.client
  return (
    <Dialog title={t.eraseTitle} onClose={onClose}>
      <div class="stack">
        <p>{t.eraseText}</p>
        <Form
          keptAs={`erase/${id}`}
          submit={t.erase}
          tone="danger"
          disabled={!isUnderstood}
          onCancel={onClose}
          onSubmit={async () => {
            await sav.post('/api/v1/clients/{id}/effacer', { params: { id } })
            onClose()
            say(t.erased)
            changed()
          }}
        >
          <CheckField name="understood" label={t.eraseConfirm} onChange={setUnderstood} />
        </Form>
      </div>
    </Dialog>
  )
}
