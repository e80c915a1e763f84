import { useState } from 'preact/hooks'
import { type FollowUp, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { act } from '../system/act.js'
import { Answered } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { Card } from '../system/page.js'
import { plainError } from '../webhooks/plain-error.js'
import { number, personName } from '../words/formats.js'
import { words } from '../words/words.js'

export const allToDo = question(async (_: 'all', signal) => (await sav.get('/api/v1/a-traiter', { signal })).data)

/** What needs attention first: each item links to its case or visit, and a button marks it as done. */
export function ToDo() {
  const reading = useRead(allToDo, 'all')
  const t = words.value.toDo
  const open = reading.value?.filter(isOffice).length ?? 0
  return (
    <Card title={t.title} {...(open > 0 && { actions: <span class="muted number">{number(open)}</span> })}>
      <Answered reading={reading}>{(all) => <ToDoLines found={all.filter(isOffice)} />}</Answered>
    </Card>
  )
}

/** Whether the office handles this item. `Attention` shows technical failures to those who can fix them. */
export const isOffice = ({ type }: FollowUp): boolean => type !== 'recepteur_en_echec'

export function ToDoLines({ found }: { readonly found: readonly FollowUp[] }) {
  const t = words.value.toDo
  const [isWhole, setWhole] = useState(false)
  if (found.length === 0) return <p class="muted">{t.nothing}</p>
  const shown = isWhole ? found : found.slice(0, shownAtMost)
  return (
    <>
      <ul class="lines to-do">
        {shown.map((each) => (
          <Line key={each.id} what={each} />
        ))}
      </ul>
      {shown.length < found.length && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          {words.value.home.allSee(number(found.length))}
        </button>
      )}
    </>
  )
}

const shownAtMost = 6

const done = (id: string) => act(() => sav.post('/api/v1/a-traiter/{followUp}/fait', { params: { followUp: id } }))

function Line({ what: { id, type, depuis, client, texte, code, ...about } }: { readonly what: FollowUp }) {
  const t = words.value.toDo
  const name = client && personName(client)
  const told = plainError({ statut: null, code, erreur: words.value.stored(texte) })
  const [main, ...others] = waysOf({ type, ...about })
  return (
    <li class="row-apart">
      <div>
        <p>
          <a href={main?.href ?? to('/')}>
            <strong>{[t.types[type], name].filter(Boolean).join(' · ')}</strong>
          </a>
        </p>
        <p class="small muted">
          {told}
          {told && ' · '}
          <Time at={depuis} />
          {others.map((way) => (
            <>
              {' · '}
              <a key={way.href} href={way.href}>
                {way.text}
              </a>
            </>
          ))}
        </p>
      </div>
      {may('sav:write') && (
        <button
          type="button"
          class="button small"
          aria-label={t.doneFor([t.types[type], name].filter(Boolean).join(', '))}
          onClick={() => done(id)}
        >
          {t.done}
        </button>
      )}
    </li>
  )
}

/**
 * Links to where an item is handled, the best one first: a cancelled visit, for example, is booked again from its case.
 */
function waysOf({ type, rdv_id, sav_id }: Pick<FollowUp, 'type' | 'rdv_id' | 'sav_id'>) {
  const t = words.value.toDo
  const ways = [
    ...(sav_id === null ? [] : [{ text: t.toCase, href: to(`/dossiers/${sav_id}`) }]),
    ...(rdv_id === null ? [] : [{ text: t.toVisit, href: withQuery('/planning', { rdv: rdv_id }) }]),
    ...(type === 'recepteur_en_echec' ? [{ text: t.toReceiver, href: to('/reglages/api/webhooks') }] : []),
  ]
  const isStanding = type === 'rdv_deplace_client' || type === 'rdv_pendant_absence'
  return isStanding ? ways.toReversed() : ways
}
