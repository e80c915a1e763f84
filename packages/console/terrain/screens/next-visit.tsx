import { useState } from 'preact/hooks'
import type { Slot } from '../api.js'
import { call } from '../send/calls.js'
import { line, reach } from '../state/contact.js'
import { changeDraft, draftOf } from '../state/drafting.js'
import { sayTrouble } from '../state/notices.js'
import { clock } from '../state/own.js'
import type { Visit } from '../sync/day.js'
import { onePerHalfDay } from '../sync/slots.js'
import { momentOf, wallOf } from '../words/formats.js'
import { words } from '../words/words.js'
import { Section } from './frame.js'

const shown = 4
/** How many free times are requested, of which the first of each half-day is shown. */
const asked = 100

/** Chooses the next visit: a free time if there is a network, otherwise a wish for the office to plan. */
export function NextVisit({ visit }: { readonly visit: Visit }) {
  const { id, fuseau, duree_minutes } = visit
  const [slots, setSlots] = useState<readonly Slot[] | null>(null)
  const t = words.value.work
  const { prochain } = draftOf(id)
  const find = async () => {
    try {
      const query = new URLSearchParams({ duree: String(duree_minutes), limite: String(asked) })
      const response = await call(line, clock, `/api/v1/terrain/rdv/${id}/creneaux?${query}`)
      if (!response.ok) return sayTrouble(words.value.trouble.other)
      const { data }: { data: readonly Slot[] } = await response.json()
      setSlots(onePerHalfDay(data, (instant) => wallOf(instant, fuseau)).slice(0, shown))
    } catch {
      reach.value = 'offline'
    }
  }
  const taken = prochain !== null && 'jeton' in prochain ? prochain : null
  return (
    <Section title={t.next}>
      {reach.value !== 'ready' && <p class="muted">{t.slotsNeedOffice}</p>}
      {reach.value === 'ready' && slots === null && (
        <button type="button" class="button" onClick={find}>
          {t.findSlots}
        </button>
      )}
      {slots?.length === 0 && <p class="muted">{t.noSlots}</p>}
      <div class="stack">
        {(slots ?? []).map(({ debut, jeton }) => (
          <label key={jeton} class="choice wide">
            <input
              type="radio"
              name="creneau"
              checked={taken?.jeton === jeton}
              onChange={() => changeDraft(id, { prochain: { jeton, debut } })}
            />
            {momentOf(debut, fuseau)}
          </label>
        ))}
        {taken !== null && slots === null && <p class="box">{momentOf(taken.debut, fuseau)}</p>}
      </div>
      <label class="field">
        {t.wish}
        <textarea
          rows={2}
          maxLength={500}
          placeholder={t.wishHint}
          value={prochain !== null && 'souhait' in prochain ? prochain.souhait : ''}
          onInput={({ currentTarget: { value } }) =>
            changeDraft(id, { prochain: value.trim() === '' ? null : { souhait: value } })
          }
        />
      </label>
    </Section>
  )
}
