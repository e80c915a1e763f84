import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type Key, sav, serverNow } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to } from '../session/address.js'
import { Answered } from '../system/answered.js'
import { Badge, Time } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { Form } from '../system/form.js'
import { Icon } from '../system/icons.js'
import { say } from '../system/notices.js'
import { Empty, Page } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { day } from '../words/formats.js'
import { words } from '../words/words.js'
import { allKeys } from './questions.js'
import { ShownKey } from './shown-key.js'

interface KeyAction {
  readonly what: 'roll' | 'revoke'
  readonly key: Key
}

export function Keys() {
  const reading = useRead(allKeys, 'all')
  const [doing, setDoing] = useState<KeyAction | null>(null)
  const t = words.value.keys
  const add = (
    <a class="button primary" href={to('/reglages/api/cles/nouvelle')}>
      <Icon name="plus" />
      {t.new}
    </a>
  )
  const close = () => setDoing(null)
  return (
    <Page title={t.title} lead={t.lead} actions={add}>
      <Answered reading={reading}>
        {(found) =>
          found.length > 0 ? (
            <Table
              name={t.title}
              columns={columns(setDoing)}
              rows={found.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)))}
              keyOf={({ id }) => id}
            />
          ) : (
            <Empty title={t.emptyTitle} text={t.emptyText}>
              {add}
            </Empty>
          )
        }
      </Answered>
      {doing?.what === 'roll' && <Rolling of={doing.key} onClose={close} />}
      {doing?.what === 'revoke' && <Revoking of={doing.key} onClose={close} />}
    </Page>
  )
}

const isOver = ({ revoked_at, expires_at }: Key) => revoked_at !== null || Date.parse(expires_at) < serverNow()

function KeyState({ of }: { readonly of: Key }) {
  const t = words.value.keys
  if (of.revoked_at !== null) return <Badge>{t.revoked}</Badge>
  if (isOver(of)) return <Badge tone="bad">{t.expired}</Badge>
  return of.expires_soon ? <Badge tone="warn">{t.expiring}</Badge> : <Badge tone="good">{t.active}</Badge>
}

function columns(onDo: (doing: KeyAction) => void): readonly Column<Key>[] {
  const t = words.value.keys
  return [
    {
      key: 'name',
      name: t.name,
      cell: ({ nom, id }) => (
        <>
          <strong>{nom}</strong>
          <p class="small muted">{id}</p>
        </>
      ),
    },
    {
      key: 'permissions',
      name: t.permissions,
      takesRest: true,
      cell: ({ permissions, ips }) => (
        <>
          <span class="row">
            {permissions.map((permission) => (
              <code key={permission} title={t.meanings[permission]}>
                {permission}
              </code>
            ))}
          </span>
          {ips.length > 0 && <p class="small muted">{ips.join(', ')}</p>}
        </>
      ),
    },
    { key: 'state', name: t.state, cell: (key) => <KeyState of={key} /> },
    {
      key: 'expires',
      name: t.expires,
      needsName: true,
      cell: ({ expires_at }) => <Time at={expires_at}>{day(expires_at)}</Time>,
    },
    {
      key: 'use',
      name: t.lastUse,
      needsName: true,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : <span class="muted">{t.never}</span>),
    },
    {
      key: 'actions',
      name: words.value.actions,
      cell: (key) =>
        !isOver(key) && (
          <span class="row">
            <button type="button" class="button small" onClick={() => onDo({ what: 'roll', key })}>
              {t.roll}
            </button>
            <button type="button" class="button small dangerous" onClick={() => onDo({ what: 'revoke', key })}>
              {t.revoke}
            </button>
          </span>
        ),
    },
  ]
}

interface DoingProps {
  readonly of: Key
  readonly onClose: () => void
}

function Rolling({ of: { id }, onClose }: DoingProps) {
  const [made, setMade] = useState<string | null>(null)
  const t = words.value.keys
  return (
    <Dialog title={t.rollTitle} onClose={onClose}>
      {made === null ? (
        <div class="stack">
          <p>{t.rollText}</p>
          <Form
            keptAs={`roll/${id}`}
            submit={t.roll}
            onCancel={onClose}
            onSubmit={async () => {
              const { data } = await sav.post('/api/v1/cles/{key}/renouveler', { params: { key: id }, body: {} })
              setMade(data.key)
              changed()
            }}
          />
        </div>
      ) : (
        <ShownKey value={made} onDone={onClose} />
      )}
    </Dialog>
  )
}

function Revoking({ of: { id, nom }, onClose }: DoingProps) {
  const t = words.value.keys
  return (
    <Dialog title={t.revokeTitle} onClose={onClose}>
      <div class="stack">
        <p>{t.revokeText(nom)}</p>
        <Form
          keptAs={`revoke/${id}`}
          submit={t.revoke}
          tone="danger"
          onCancel={onClose}
          onSubmit={async () => {
            await sav.delete('/api/v1/cles/{key}', { params: { key: id } })
            onClose()
            say(t.revokedNow)
            changed()
          }}
        />
      </div>
    </Dialog>
  )
}
