import { useState } from 'preact/hooks'
import { Labelled } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { words } from '../words/words.js'

interface PhotosProps {
  readonly photos: readonly { readonly id: string; readonly url: string }[]
  /** A name for what the photos show. Without it, each photo has only its number. */
  readonly name?: string
}

/** Our own photos are shown; those on other sites are linked, and never loaded automatically. */
export function Photos({ photos, name }: PhotosProps) {
  const [open, setOpen] = useState<number | null>(null)
  const t = words.value.oneCase
  if (photos.length === 0) return <p class="muted small photos-none">{t.noPhotos}</p>
  const nameOf = (index: number) => name ?? t.photo(index + 1)
  const shown = open === null ? undefined : photos[open]
  const step = (by: number) => open !== null && setOpen((open + by + photos.length) % photos.length)
  return (
    <>
      <ul class="photos">
        {photos.map(({ id, url }, index) => (
          <li key={id}>
            {isOurs(url) ? (
              <button type="button" class="photo" onClick={() => setOpen(index)}>
                <img src={url} alt={nameOf(index)} loading="lazy" />
              </button>
            ) : (
              <a class="photo photo-link" href={url} target="_blank" rel="noreferrer noopener">
                <Labelled icon="link">{t.linkedPhoto}</Labelled>
              </a>
            )}
          </li>
        ))}
      </ul>
      {open !== null && shown && (
        <Dialog title={nameOf(open)} wide onClose={() => setOpen(null)}>
          <figure
            class="photo-large"
            onKeyDown={({ key }) => (key === 'ArrowRight' ? step(1) : key === 'ArrowLeft' && step(-1))}
          >
            {isOurs(shown.url) && <img src={shown.url} alt={nameOf(open)} />}
            {photos.length > 1 && (
              <figcaption class="row">
                <button type="button" class="button small" onClick={() => step(-1)}>
                  {t.previousPhoto}
                </button>
                <button type="button" class="button small" onClick={() => step(1)}>
                  {t.nextPhoto}
                </button>
              </figcaption>
            )}
          </figure>
        </Dialog>
      )}
    </>
  )
}

export const isOurs = (url: string): boolean => url.startsWith('/')

interface ComparisonProps {
  readonly before: string | null
  readonly after: string | null
}

/**
 * Shows the photos from before and after the work in one frame, with a movable border. If there is only one, it is
 * shown alone.
 */
export function Comparison({ before, after }: ComparisonProps) {
  const [at, setAt] = useState(50)
  const t = words.value.oneCase
  if (before === null && after === null) return null
  if (before === null || after === null) {
    const url = before ?? after ?? ''
    const name = before === null ? t.after : t.before
    return (
      <figure>
        <Photos photos={[{ id: url, url }]} name={name} />
        <figcaption class="muted small">{name}</figcaption>
      </figure>
    )
  }
  return (
    <figure class="comparison">
      <div class="comparison-frame">
        <img src={after} alt={t.after} />
        <div class="comparison-top">
          <img
            src={before}
            alt={t.before}
            ref={(image) => image?.style.setProperty('clip-path', `inset(0 ${100 - at}% 0 0)`)}
          />
        </div>
      </div>
      <input
        type="range"
        min="0"
        max="100"
        value={at}
        aria-label={t.compare}
        onInput={({ currentTarget }) => setAt(Number(currentTarget.value))}
      />
      <figcaption class="row-apart muted small">
        <span>{t.before}</span>
        <span>{t.after}</span>
      </figcaption>
    </figure>
  )
}
