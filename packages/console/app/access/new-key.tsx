import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { apiBase } from '../api/base.js'
import { changed } from '../api/changes.js'
import { type Permission, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { to } from '../session/address.js'
import { Answered } from '../system/answered.js'
import { CheckField, CheckGroup, Form, TextArea, TextField } from '../system/form.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { ShownKey } from './shown-key.js'

interface ContractPermissions {
  readonly enum: readonly Permission[]
  /** What each permission allows, in English. */
  readonly 'x-enumDescriptions': Readonly<Record<string, string>>
}

/** All permissions of the running service, also of features that this console does not know. */
const allPermissions = question(async (_: 'all', signal): Promise<ContractPermissions> => {
  const contract = await (await fetch(`${apiBase}/openapi.json`, { signal })).json()
  return contract.components.schemas.Key.properties.permissions.items
})

export function NewKey() {
  const { route } = useLocation()
  const reading = useRead(allPermissions, 'all')
  const [made, setMade] = useState<string | null>(null)
  const t = words.value.keys
  const meanings: Readonly<Record<string, string>> = t.meanings satisfies Record<Permission, string>
  const back = () => route(to('/reglages/api/cles'), true)
  return (
    <Page title={t.new} narrow up={{ screen: '/reglages/api/cles', name: t.title }}>
      <Card>
        {made === null ? (
          <Answered reading={reading}>
            {({ enum: all, 'x-enumDescriptions': allows }) => (
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
                      permissions: all.filter((each) => fields.all('permissions').includes(each)),
                      // The key expires at the end of the chosen day, in the time zone of the person who chose it.
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
                  {all.map((permission) => (
                    <CheckField
                      key={permission}
                      name="permissions"
                      value={permission}
                      label={<code>{permission}</code>}
                      hint={meanings[permission] ?? allows[permission]}
                    />
                  ))}
                </CheckGroup>
                <TextField name="expire" label={t.expiresOn} hint={t.expiresHint} type="date" />
                <TextArea name="ips" label={t.ips} hint={t.ipsHint} rows={2} />
              </Form>
            )}
          </Answered>
        ) : (
          <ShownKey value={made} onDone={back} />
        )}
      </Card>
    </Page>
  )
}
