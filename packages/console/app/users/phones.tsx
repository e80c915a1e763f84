import { useState } from 'preact/hooks'
import { sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { act } from '../system/act.js'
import { Time } from '../system/bits.js'
import { words } from '../words/words.js'

const phonesOf = question(
  async (user: string, signal) =>
    (await sav.get('/api/v1/utilisateurs/{user}/appareils', { params: { user }, signal })).data,
)

/** The phones of an installer. Each can be signed out, after a confirmation of what will be lost. */
export function Phones({ user }: { readonly user: string }) {
  const { value: phones = [] } = useRead(phonesOf, user)
  const [asked, setAsked] = useState<string | null>(null)
  const t = words.value.users
  if (phones.length === 0) return null
  const end = (appareil: string) =>
    act(
      () => sav.delete('/api/v1/utilisateurs/{user}/appareils/{appareil}', { params: { user, appareil } }),
      t.phoneEnded,
    )
  return (
    <div class="stack-small">
      <h3>{t.phones}</h3>
      <ul class="lines">
        {phones.map(({ id, nom, dernier_contact, en_attente }) => (
          <li key={id} class="stack-small">
            <div class="row-apart">
              <div>
                {nom}
                <p class="small muted">
                  {t.used} <Time at={dernier_contact} /> · {t.unsent(en_attente ?? 0)}
                </p>
              </div>
              {asked !== id && (
                <button type="button" class="button small" onClick={() => setAsked(id)}>
                  {t.endPhone}
                </button>
              )}
            </div>
            {asked === id && (
              <div class="row-apart">
                <p class="small">{t.endPhoneText(en_attente ?? 0)}</p>
                <button type="button" class="button small dangerous" onClick={() => end(id)}>
                  {t.endPhoneNow}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
