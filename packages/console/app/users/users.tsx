import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { sav, type User } from '../api/client.js'
import { useRead } from '../api/read.js'
import { session } from '../session/session.js'
import { act } from '../system/act.js'
import { Answered } from '../system/answered.js'
import { Badge, Time } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { Icon } from '../system/icons.js'
import { say } from '../system/notices.js'
import { Empty, Page } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { words } from '../words/words.js'
import { Inviting } from './inviting.js'
import { allUsers } from './questions.js'
import { Sessions } from './sessions.js'
import { UserForm } from './user-form.js'

interface UserAction {
  readonly what: 'edit' | 'invite' | 'sessions'
  readonly user: User
}

export function Users() {
  const reading = useRead(allUsers, 'all')
  const [isAdding, setAdding] = useState(false)
  const [doing, setDoing] = useState<UserAction | null>(null)
  const t = words.value.users
  const close = () => setDoing(null)

  const setActive = (user: User, actif: boolean, isUndo = false): Promise<void> =>
    act(
      () => sav.put('/api/v1/utilisateurs/{user}', { params: { user: user.id }, body: { actif } }),
      actif ? t.enabled : t.disabled,
      isUndo ? undefined : () => setActive(user, !actif, true),
    )
  const add = (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      {t.new}
    </button>
  )
  return (
    <Page title={t.title} lead={t.lead} actions={add}>
      <Answered reading={reading}>
        {(found) =>
          found.length > 0 ? (
            <Table name={t.title} columns={columns(setDoing, setActive)} rows={found} keyOf={({ id }) => id} />
          ) : (
            <Empty title={t.emptyTitle} text={t.emptyText}>
              {add}
            </Empty>
          )
        }
      </Answered>
      {isAdding && (
        <Dialog title={t.new} onClose={() => setAdding(false)}>
          <UserForm
            keptAs="user/new"
            submit={t.create}
            onCancel={() => setAdding(false)}
            onSubmit={async (body) => {
              await sav.post('/api/v1/utilisateurs', { body })
              setAdding(false)
              say(t.created)
              changed()
            }}
          />
        </Dialog>
      )}
      {doing?.what === 'edit' && (
        <Dialog title={t.edit} onClose={close}>
          <UserForm
            keptAs={`user/${doing.user.id}`}
            user={doing.user}
            submit={words.value.save}
            onCancel={close}
            onSubmit={async (body) => {
              await sav.put('/api/v1/utilisateurs/{user}', { params: { user: doing.user.id }, body })
              close()
              say(words.value.saved)
              changed()
            }}
          />
        </Dialog>
      )}
      {doing?.what === 'invite' && <Inviting user={doing.user} onClose={close} />}
      {doing?.what === 'sessions' && <Sessions user={doing.user} onClose={close} />}
    </Page>
  )
}

function columns(
  onDo: (doing: UserAction) => void,
  onActive: (user: User, actif: boolean) => void,
): readonly Column<User>[] {
  const t = words.value.users
  const mine = session.value?.utilisateur.id
  return [
    {
      key: 'nom',
      name: t.nom,
      takesRest: true,
      cell: ({ nom, email }) => (
        <>
          <strong>{nom}</strong>
          <p class="small muted">{email}</p>
        </>
      ),
    },
    {
      key: 'role',
      name: t.role,
      cell: ({ role }) => (
        <span class="own-words" title={t.means[role]}>
          {t.roles[role]}
        </span>
      ),
    },
    {
      key: 'state',
      name: t.state,
      cell: ({ actif }) => <Badge tone={actif ? 'good' : 'plain'}>{actif ? t.active : t.inactive}</Badge>,
    },
    {
      key: 'seen',
      name: t.lastSeen,
      needsName: true,
      cell: ({ derniere_connexion }) =>
        derniere_connexion ? <Time at={derniere_connexion} /> : <span class="muted">{t.never}</span>,
    },
    {
      key: 'actions',
      name: words.value.actions,
      cell: (user) => (
        <span class="row">
          {user.actif && (
            <button type="button" class="button small" onClick={() => onDo({ what: 'invite', user })}>
              {t.invite}
            </button>
          )}
          <button type="button" class="button small" onClick={() => onDo({ what: 'sessions', user })}>
            {t.sessions}
          </button>
          <button type="button" class="button small" onClick={() => onDo({ what: 'edit', user })}>
            {t.edit}
          </button>
          {user.id !== mine && (
            <button
              type="button"
              class={user.actif ? 'button small dangerous' : 'button small'}
              onClick={() => onActive(user, !user.actif)}
            >
              {user.actif ? t.disable : t.enable}
            </button>
          )}
        </span>
      ),
    },
  ]
}
