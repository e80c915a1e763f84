import type { Rdv } from '../api/client.js'
import { Fact, Labelled } from '../system/bits.js'
import { words } from '../words/words.js'
import { lieuLine } from './lieu-fields.js'

type Lieu = NonNullable<Rdv['lieu']>

/**
 * A link to a public map that needs no account. The map's site learns nothing until somebody follows the link. Null if
 * the place has neither an address nor coordinates.
 */
function mapOf(lieu: Lieu): string | null {
  const { lat, lon } = lieu
  const line = lieuLine(lieu)
  if (line !== '') return `https://www.openstreetmap.org/search?query=${encodeURIComponent(line)}`
  return lat === null || lon === null ? null : `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}&zoom=17`
}

/** A phone number in pairs of digits, as in France, if it was typed without spaces. */
export const spaced = (number: string): string =>
  /^0\d{9}$/.test(number) ? number.replaceAll(/\d\d(?=\d)/g, '$&\u00a0') : number

export function Telephone({ number }: { readonly number: string }) {
  return (
    <a class="nowrap" href={`tel:${number.replace(/[^+\d]/g, '')}`}>
      {spaced(number)}
    </a>
  )
}

interface WayThereProps {
  readonly lieu: Lieu | null
  /** The address of a client whose place is only a line of text. */
  readonly adresse?: string | null | undefined
  readonly telephone?: string | null | undefined
}

/** What an installer on the way needs: whom to call, where it is, and how to get in. */
export function WayThere({ lieu, adresse, telephone }: WayThereProps) {
  const t = words.value.client
  const map = lieu && mapOf(lieu)
  const line = lieuLine(lieu) || adresse
  return (
    <>
      {telephone && (
        <Fact name={t.telephone}>
          <Telephone number={telephone} />
        </Fact>
      )}
      {line && (
        <Fact name={t.adresse}>
          {line}{' '}
          {map && (
            <a class="nowrap small" href={map} target="_blank" rel="noreferrer noopener">
              <Labelled icon="route">{t.map}</Labelled>
            </a>
          )}
        </Fact>
      )}
      {lieu?.acces && <Fact name={t.acces}>{lieu.acces}</Fact>}
    </>
  )
}
