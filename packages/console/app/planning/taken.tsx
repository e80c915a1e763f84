import type { Slot } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { dateOf, dayName, timeOf } from '../session/zone.js'
import { Dialog } from '../system/dialog.js'
import { words } from '../words/words.js'
import type { Conflict } from './moving.js'
import { ByDay } from './slots.js'

interface TakenProps {
  readonly taken: Conflict
  readonly onPick: (slot: Slot) => void
  readonly onClose: () => void
}

/** The conflict, and the times that are free instead. Nothing was changed. */
export function TakenTime({ taken: { conflit, alternatives }, onPick, onClose }: TakenProps) {
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const t = words.value.planning
  const name = poseurs.find(({ id }) => id === conflit.poseur.id)?.nom ?? ''
  return (
    <Dialog title={t.takenTitle} onClose={onClose}>
      <div class="stack">
        <p>{t.takenText(name, dayName(dateOf(conflit.debut)), timeOf(conflit.debut), timeOf(conflit.fin))}</p>
        {alternatives.length === 0 ? (
          <p class="muted">{t.noAlternative}</p>
        ) : (
          <>
            <h3>{t.instead}</h3>
            <ByDay slots={alternatives} onPick={onPick} />
          </>
        )}
      </div>
    </Dialog>
  )
}
