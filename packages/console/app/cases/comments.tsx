import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { question } from '../api/read.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { isTouched } from '../system/first-field.js'
import { Form, TextArea } from '../system/form.js'
import { say } from '../system/notices.js'
import { MoreRows, useRows } from '../system/rows.js'
import { words } from '../words/words.js'
import { actorName } from './history.js'

interface CommentsQuery {
  readonly id: number
  readonly curseur?: string | undefined
}

const commentsOf = question(({ id, curseur }: CommentsQuery, signal) =>
  sav.get('/api/v1/sav/{id}/commentaires', { params: { id }, query: { limite: 10, curseur }, signal }),
)

/** The team's comments on a case, also after its close: newest first, and never overwritten. */
export function Comments({ id }: { readonly id: number }) {
  const { reading, rows, more } = useRows(commentsOf, { id }, (row) => String(row.id))
  const t = words.value.comments
  return (
    <div class="stack">
      {(may('sav:write') || may('sav:close')) && (
        <div class="inline-form">
          <Form
            keptAs={`comment/${id}`}
            submit={t.send}
            tone="plain"
            again
            onSubmit={async (fields) => {
              await sav.post('/api/v1/sav/{id}/commentaires', { params: { id }, body: { texte: fields.text('texte') } })
              say(t.sent)
              changed()
            }}
          >
            <TextArea
              name="texte"
              label={t.new}
              hint={isTouched() ? t.hint : `${t.hint} ${t.keyHint}`}
              required
              rows={1}
              maxLength={5000}
            />
          </Form>
        </div>
      )}
      <Answered reading={reading}>
        {() =>
          rows.length === 0 ? (
            <p class="muted small">{t.none}</p>
          ) : (
            <ul class="lines comments">
              {rows.map(({ id: line, acteur, date, texte }) => (
                <li key={line}>
                  <p class="small muted">
                    <strong>{actorName(acteur)}</strong> · <Time at={date} />
                  </p>
                  <p class="prose">{words.value.stored(texte)}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
      <MoreRows more={more} />
    </div>
  )
}
