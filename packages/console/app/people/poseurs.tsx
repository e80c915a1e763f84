import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type Poseur, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { lieuLine } from '../directory/lieu-fields.js'
import { PoseurForm, Swatch } from '../directory/poseur-form.js'
import { allPoseurs } from '../directory/questions.js'
import { to } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Badge } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { Icon } from '../system/icons.js'
import { say } from '../system/notices.js'
import { Empty, Page } from '../system/page.js'
import { type Column, Table } from '../system/table.js'
import { words } from '../words/words.js'

export function Poseurs() {
  const reading = useRead(allPoseurs, 'all')
  const [isAdding, setAdding] = useState(false)
  const t = words.value.poseur
  const add = may('directory:write') && (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      {t.new}
    </button>
  )
  return (
    <Page title={t.title} actions={add}>
      <Answered reading={reading}>
        {(found) =>
          found.length > 0 ? (
            <Table
              name={t.title}
              columns={columns()}
              rows={found.toSorted((a, b) => Number(b.actif) - Number(a.actif))}
              keyOf={({ id }) => id}
            />
          ) : (
            <Empty title={t.emptyTitle} text={t.emptyText}>
              {add}
            </Empty>
          )
        }
      </Answered>
      {isAdding && (
        <Dialog title={t.new} onClose={() => setAdding(false)}>
          <PoseurForm
            keptAs="poseur/new"
            submit={t.create}
            onCancel={() => setAdding(false)}
            onSubmit={async (body) => {
              await sav.post('/api/v1/poseurs', { body })
              setAdding(false)
              say(t.created)
              changed()
            }}
          />
        </Dialog>
      )}
    </Page>
  )
}

function columns(): readonly Column<Poseur>[] {
  const t = words.value.poseur
  return [
    {
      key: 'nom',
      name: t.nom,
      takesRest: true,
      cell: (poseur) => (
        <a class="labelled" href={to(`/poseurs/${poseur.id}`)}>
          <Swatch poseur={poseur} />
          {poseur.nom}
        </a>
      ),
    },
    { key: 'email', name: t.email, cell: ({ email }) => email },
    { key: 'base', name: t.base, cell: ({ lieu }) => <span class="muted">{lieuLine(lieu)}</span> },
    {
      key: 'state',
      name: t.state,
      cell: ({ actif }) => <Badge tone={actif ? 'good' : 'plain'}>{actif ? t.active : t.inactive}</Badge>,
    },
  ]
}
