import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { ClientForm, namedBy } from '../directory/client-form.js'
import { to } from '../session/address.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'

export function NewClient() {
  const { query, route } = useLocation()
  const { nom = '' } = query
  const t = words.value.client
  return (
    <Page title={t.new} narrow up={{ screen: '/clients', name: t.title }}>
      <Card>
        <ClientForm
          keptAs={nom === '' ? 'client/new' : `client/new/${nom}`}
          client={namedBy(nom)}
          submit={t.create}
          onCancel={() => route(to('/clients'))}
          onSubmit={async (body) => {
            const { data } = await sav.post('/api/v1/clients', { body })
            say(t.created)
            changed()
            route(to(`/clients/${data.id}`), true)
          }}
        />
      </Card>
    </Page>
  )
}
