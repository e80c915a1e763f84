import type { Poseur } from '../../api/client.js'
import { to } from '../../session/address.js'
import { Icon } from '../../system/icons.js'
import { words } from '../../words/words.js'
import type { BoardView } from './board.js'

interface PoseurHeadProps extends Pick<BoardView, 'date' | 'onAway'> {
  readonly poseur: Poseur
}

/** Links to an installer; a button marks them as away. */
export function PoseurHead({ poseur, date, onAway }: PoseurHeadProps) {
  const name = words.value.worktime.awayOf(poseur.nom)
  return (
    <div class="poseur-head">
      <a class="plain-link" href={to(`/poseurs/${poseur.id}`)}>
        {poseur.nom}
      </a>
      {onAway && poseur.actif && (
        <button type="button" class="quiet" aria-label={name} title={name} onClick={() => onAway(poseur, date)}>
          <Icon name="out" size={14} />
        </button>
      )}
    </div>
  )
}
