import { sav, type User } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { deviceName } from '../session/device-name.js'
import { act } from '../system/act.js'
import { Answered } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { say } from '../system/notices.js'
import { words } from '../words/words.js'
import { Phones } from './phones.js'

interface SessionsProps {
  readonly user: User
  readonly onClose: () => void
}

/** The sessions of a user; null: of the signed-in user. */
const sessionsOf = question(async ({ user }: SessionsOf, signal) =>
  user === null
    ? (await sav.get('/api/v1/session/sessions', { signal })).data
    : (await sav.get('/api/v1/utilisateurs/{user}/sessions', { params: { user }, signal })).data,
)

interface SessionsOf {
  readonly user: string | null
}

/** A user's sessions, which can be ended. */
export function Sessions({ user: { id, nom }, onClose }: SessionsProps) {
  return (
    <Dialog title={words.value.users.sessionsTitle(nom)} onClose={onClose}>
      <Phones user={id} />
      <SessionList user={id} />
    </Dialog>
  )
}

export function SessionList({ user }: SessionsOf) {
  const reading = useRead(sessionsOf, { user })
  const t = words.value.users
  const end = (work: () => Promise<number>) => act(async () => say(t.ended(await work())))
  const endOne = (session: string) =>
    end(async () => {
      if (user === null) await sav.delete('/api/v1/session/sessions/{session}', { params: { session } })
      else await sav.delete('/api/v1/utilisateurs/{user}/sessions/{session}', { params: { user, session } })
      return 1
    })
  const endAll = (user: string) =>
    end(async () => {
      const { data } = await sav.delete('/api/v1/utilisateurs/{user}/sessions', { params: { user } })
      return data.terminees
    })
  return (
    <Answered reading={reading}>
      {(sessions) =>
        sessions.length === 0 ? (
          <p class="muted">{t.noSessions}</p>
        ) : (
          <div class="stack">
            <ul class="lines">
              {sessions.map(({ id: session, appareil, methode, ip, derniere_utilisation }) => (
                <li key={session} class="row-apart">
                  <div>
                    <span title={appareil}>{deviceName(appareil, t.device)}</span>
                    <p class="small muted">
                      {t.methods[methode]} · {ip} · {t.used} <Time at={derniere_utilisation} />
                    </p>
                  </div>
                  <button type="button" class="button small" onClick={() => endOne(session)}>
                    {t.end}
                  </button>
                </li>
              ))}
            </ul>
            {user !== null && (
              <div class="form-actions">
                <button type="button" class="button dangerous" onClick={() => endAll(user)}>
                  {t.endAll}
                </button>
              </div>
            )}
          </div>
        )
      }
    </Answered>
  )
}
