import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { CaseTable } from '../cases/list/case-table.js'
import { someCases } from '../cases/questions.js'
import { lieuLine } from '../directory/lieu-fields.js'
import { PoseurForm } from '../directory/poseur-form.js'
import { poseurById } from '../directory/questions.js'
import { someRdv } from '../planning/questions.js'
import { VisitList } from '../planning/visit-list.js'
import { may } from '../session/session.js'
import { today } from '../session/zone.js'
import { act } from '../system/act.js'
import { Answered } from '../system/answered.js'
import { Badge, Fact } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { Worktime } from './worktime.js'

export function OnePoseur() {
  const { params } = useRoute()
  const id = Number(params['id'])
  return <PoseurScreen key={id} id={id} />
}

function PoseurScreen({ id }: { readonly id: number }) {
  const reading = useRead(poseurById, id)
  const cases = useRead(someCases, { poseur_id: id, statut: 'non_clos', limite: 50 })
  const visits = useRead(someRdv, may('planning:read') ? { poseur_id: id, du: today(), limite: 20 } : null)
  const [isEditing, setEditing] = useState(false)
  const t = words.value.poseur
  const poseur = reading.value

  const setActive = (actif: boolean, isUndo = false): Promise<void> =>
    act(
      () => sav.put('/api/v1/poseurs/{id}', { params: { id }, body: { actif } }),
      actif ? t.activated : t.deactivated,
      isUndo ? undefined : () => setActive(!actif, true),
    )

  return (
    <Page
      title={poseur?.nom ?? t.title}
      up={{ screen: '/poseurs', name: t.title }}
      {...(poseur && {
        beside: <Badge tone={poseur.actif ? 'good' : 'plain'}>{poseur.actif ? t.active : t.inactive}</Badge>,
        actions: may('directory:write') && (
          <>
            <button type="button" class="button" onClick={() => setEditing(true)}>
              {t.edit}
            </button>
            <button type="button" class="button" onClick={() => setActive(!poseur.actif)}>
              {poseur.actif ? t.deactivate : t.activate}
            </button>
          </>
        ),
      })}
    >
      <Answered reading={reading}>
        {(found) => (
          <div class="split">
            <CaseTable
              name={t.cases}
              reading={cases}
              empty={t.noCases}
              without={['poseur', 'telephone', 'ville', 'priorite']}
            />
            <div class="stack">
              {(found.email || found.lieu) && (
                <Card>
                  <dl class="facts">
                    {found.email && <Fact name={t.email}>{found.email}</Fact>}
                    {found.lieu && <Fact name={t.base}>{lieuLine(found.lieu)}</Fact>}
                  </dl>
                </Card>
              )}
              {may('planning:read') && <Worktime id={id} />}
              {visits.value && (
                <Card title={words.value.client.visits}>
                  <VisitList visits={visits.value} empty={words.value.client.noVisits} ofPoseur />
                </Card>
              )}
            </div>
          </div>
        )}
      </Answered>
      {isEditing && poseur && (
        <Dialog title={t.edit} onClose={() => setEditing(false)}>
          <PoseurForm
            keptAs={`poseur/${id}`}
            poseur={poseur}
            submit={words.value.save}
            onCancel={() => setEditing(false)}
            onSubmit={async (body) => {
              await sav.put('/api/v1/poseurs/{id}', { params: { id }, body })
              setEditing(false)
              say(words.value.saved)
              changed()
            }}
          />
        </Dialog>
      )}
    </Page>
  )
}
