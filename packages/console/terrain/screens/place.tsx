import type { Lieu } from '../api.js'
import { isToCome, type Visit } from '../sync/day.js'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

/** The two lines of an address: the street, and the town. */
export function placeLines(lieu: Lieu | null, adresse: string | null | undefined): [string, string] {
  const town = [lieu?.code_postal, lieu?.ville].filter(Boolean).join(' ')
  return lieu?.ligne1 ? [lieu.ligne1, town] : [adresse ?? '', adresse ? '' : town]
}

/**
 * The address that opens the phone's navigation. iPhones get a link to Apple's maps, because they do not support
 * `geo:`.
 */
function wayTo({ lieu, client }: Visit): string | null {
  const address = placeLines(lieu, client.adresse).filter(Boolean).join(', ')
  if (address === '' && lieu?.lat == null) return null
  const isApple = /iPhone|iPad|Macintosh/.test(navigator.userAgent)
  const point = lieu?.lat == null || lieu.lon == null ? null : `${lieu.lat},${lieu.lon}`
  if (isApple) return `https://maps.apple.com/?daddr=${encodeURIComponent(address || (point ?? ''))}`
  return `geo:${point ?? '0,0'}?q=${encodeURIComponent(address || (point ?? ''))}`
}

interface QuickLinksProps {
  readonly visit: Visit
  readonly onLate: () => void
}

/** Actions on the way: call, navigate, report a delay. */
export function QuickLinks({ visit, onLate }: QuickLinksProps) {
  const t = words.value.visit
  const way = wayTo(visit)
  const { telephone } = visit.client
  return (
    <div class="quick">
      {way !== null && (
        <a class="button" href={way}>
          <Icon name="way" />
          {t.way}
        </a>
      )}
      {telephone && (
        <a class="button" href={`tel:${telephone.replace(/[^+\d]/g, '')}`}>
          <Icon name="phone" />
          {t.call}
        </a>
      )}
      {isToCome(visit) && (
        <button type="button" class="button" onClick={onLate}>
          <Icon name="clock" />
          {t.late}
        </button>
      )}
    </div>
  )
}
