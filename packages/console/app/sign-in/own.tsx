import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { deviceName } from '../session/device-name.js'
import { readSession, session } from '../session/session.js'
import { act } from '../system/act.js'
import { Time } from '../system/bits.js'
import { Form, TextField } from '../system/form.js'
import { say, sayFailed } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { SessionList } from '../users/sessions.js'
import { day } from '../words/formats.js'
import { words } from '../words/words.js'
import { registerPasskey } from './sign-in-calls.js'

/** The user's own passkeys and sessions. */
export function Own() {
  const who = session.value?.utilisateur
  const t = words.value
  if (!who) return null
  return (
    <Page title={who.nom} lead={who.email} narrow>
      <div class="stack">
        {who.passkeys && (
          <Card title={t.own.passkeys}>
            <Passkeys keys={who.passkeys} />
          </Card>
        )}
        <Card title={t.users.sessions}>
          <SessionList user={null} />
        </Card>
      </div>
    </Page>
  )
}

interface PasskeysProps {
  readonly keys: NonNullable<NonNullable<typeof session.value>['utilisateur']['passkeys']>
}

function Passkeys({ keys }: PasskeysProps) {
  const t = words.value
  const remove = (passkey: string) =>
    act(async () => {
      await sav.delete('/api/v1/session/passkeys/{passkey}', { params: { passkey } })
      await readSession()
    }, t.own.removed)
  return (
    <div class="stack">
      {keys.length === 0 && <p class="muted">{t.own.none}</p>}
      <ul class="lines">
        {keys.map(({ id, nom, date_creation, derniere_utilisation }) => (
          <li key={id} class="row-apart">
            <div>
              {nom}
              <p class="small muted">
                {t.own.since(day(date_creation))}
                {derniere_utilisation && (
                  <>
                    {' · '}
                    {t.own.lastUsed} <Time at={derniere_utilisation} />
                  </>
                )}
              </p>
            </div>
            <button type="button" class="button small" aria-label={t.own.removeKey(nom)} onClick={() => remove(id)}>
              {t.own.remove}
            </button>
          </li>
        ))}
      </ul>
      <div class="inline-form">
        <Form
          keptAs="own/passkey"
          submit={t.signIn.offer.add}
          tone="plain"
          again
          onSubmit={async (fields) => {
            try {
              await registerPasskey(fields.text('nom'))
            } catch {
              return sayFailed(t.signIn.passkeyFailed)
            }
            await readSession()
            say(t.signIn.offer.added)
            changed()
          }}
        >
          <TextField
            name="nom"
            label={t.own.name}
            value={deviceName(navigator.userAgent, t.users.device)}
            required
            maxLength={100}
          />
        </Form>
      </div>
    </div>
  )
}
