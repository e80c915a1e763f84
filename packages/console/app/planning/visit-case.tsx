import { useRead } from '../api/read.js'
import { AddPhotos } from '../cases/add-photos.js'
import { Comments } from '../cases/comments.js'
import { EarlierVisits } from '../cases/earlier-visits.js'
import { Photos } from '../cases/photos.js'
import { caseById } from '../cases/questions.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { words } from '../words/words.js'

/** The case of a visit: as on its own page, without leaving the planning. */
export function CaseOfVisit({ id, rdv_id }: { readonly id: number; readonly rdv_id: number }) {
  const reading = useRead(caseById, id)
  const t = words.value
  return (
    <Answered reading={reading}>
      {({ found }) => (
        <div class="stack">
          <section class="stack-small">
            <h3>{t.oneCase.description}</h3>
            <p class="prose">{t.stored(found.description)}</p>
            <Photos photos={found.photos} />
            {(may('sav:write') || may('sav:close')) && <AddPhotos id={id} rdv_id={rdv_id} />}
          </section>
          {found.interventions.length > 0 && (
            <section class="stack-small">
              <h3>{t.oneCase.visits}</h3>
              <EarlierVisits found={found} />
            </section>
          )}
          <section class="stack-small">
            <h3>{t.comments.title}</h3>
            <Comments id={id} />
          </section>
        </div>
      )}
    </Answered>
  )
}
