import { changed } from '../api/changes.js'
import { type FollowUp, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered, saidOf } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { sayFailed } from '../system/notices.js'
import { Card } from '../system/page.js'
import { number, personName } from '../words/formats.js'
import { words } from '../words/words.js'

const allToDo = question(async (_: 'all', signal) => (await sav.get('/api/v1/a-traiter', { signal })).data)

/** What somebody must look at, first of all: each leads to what it is about, and a press says that it is done. */
export function ToDo() {
  const reading = useRead(allToDo, 'all')
  const t = words.value.toDo
  const open = reading.value?.length ?? 0
  return (
    <Card title={t.title} {...(open > 0 && { actions: <span class="muted number">{number(open)}</span> })}>
      <Answered reading={reading}>
        {(found) =>
          found.length === 0 ? (
            <p class="muted">{t.nothing}</p>
          ) : (
            <ul class="lines to-do">
              {found.map((each) => (
                <Line key={each.id} what={each} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  )
}

async function done(id: string): Promise<void> {
  try {
    await sav.post('/api/v1/a-traiter/{followUp}/fait', { params: { followUp: id } })
  } catch (error) {
    sayFailed(saidOf(error))
  }
  changed()
}

function Line({ what: { id, type, depuis, client, texte, ...about } }: { readonly what: FollowUp }) {
  const t = words.value.toDo
  const name = client && personName(client)
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
          {texte}
          {texte && ' · '}
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

/** Where something is dealt with, the first first: what fell out is booked again from its case. */
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
