import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { to } from '../session/address.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { EndpointForm } from './endpoint-form.js'
import { Secret } from './secret.js'

export function NewEndpoint() {
  const { route } = useLocation()
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null)
  const t = words.value.webhooks
  return (
    <Page title={t.new} narrow up={{ screen: '/reglages/api/webhooks', name: t.title }}>
      <Card>
        {made === null ? (
          <EndpointForm
            keptAs="webhook/new"
            submit={t.create}
            onCancel={() => route(to('/reglages/api/webhooks'))}
            onSubmit={async (body) => {
              const { data } = await sav.post('/api/v1/webhooks', { body })
              setMade(data)
              changed()
            }}
          />
        ) : (
          <Secret secret={made.secret} onDone={() => route(to(`/reglages/api/webhooks/${made.id}`), true)} />
        )}
      </Card>
    </Page>
  )
}
