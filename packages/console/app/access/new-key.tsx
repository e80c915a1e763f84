import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { type Permission, sav } from '../api/client.js'
import { to } from '../session/address.js'
import { isThere } from '../session/session.js'
import { CheckField, CheckGroup, Form, TextArea, TextField } from '../system/form.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { ShownKey } from './shown-key.js'

const isPermission = (name: string): name is Permission => name in words.peek().keys.meanings

const allPermissions = () =>
  Object.keys(words.peek().keys.meanings satisfies Record<Permission, string>)
    .filter(isPermission)
    .filter(isThere)

export function NewKey() {
  const { route } = useLocation()
  const [made, setMade] = useState<string | null>(null)
  const t = words.value.keys
  const back = () => route(to('/reglages/api/cles'), true)
  return (
    <Page title={t.new} narrow up={{ screen: '/reglages/api/cles', name: t.title }}>
      <Card>
        {made === null ? (
          <Form
            keptAs="key/new"
            submit={t.create}
            onCancel={back}
            onSubmit={async (fields) => {
              const ips = fields
                .text('ips')
                .split(/[\s,]+/)
                .filter(Boolean)
              const expire = fields.text('expire')
              const { data } = await sav.post('/api/v1/cles', {
                body: {
                  nom: fields.text('nom'),
                  permissions: allPermissions().filter((each) => fields.all('permissions').includes(each)),
                  // It ends with that day, in the time zone of the person who chose it.
                  ...(expire && { expire: new Date(`${expire}T23:59:59`).toISOString() }),
                  ...(ips.length > 0 && { ips }),
                },
              })
              setMade(data.key)
              changed()
            }}
          >
            <TextField name="nom" label={t.name} hint={t.nameHint} required maxLength={120} />
            <CheckGroup name="permissions" label={t.permissions} hint={t.writeOnly}>
              {allPermissions().map((permission) => (
                <CheckField
                  key={permission}
                  name="permissions"
                  value={permission}
                  label={<code>{permission}</code>}
                  hint={t.meanings[permission]}
                />
              ))}
            </CheckGroup>
            <TextField name="expire" label={t.expiresOn} hint={t.expiresHint} type="date" />
            <TextArea name="ips" label={t.ips} hint={t.ipsHint} rows={2} />
          </Form>
        ) : (
          <ShownKey value={made} onDone={back} />
        )}
      </Card>
    </Page>
  )
}
