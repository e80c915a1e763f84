import { useEffect, useState } from 'preact/hooks'
import { type Moment, moments } from '../api.js'
import { draftOf, keepPhotos, removePhoto } from '../state/drafting.js'
import { sayFailed } from '../state/notices.js'
import { own, photoRows } from '../state/own.js'
import { holdVisit } from '../store/own-store.js'
import type { PhotoRow } from '../sync/draft.js'
import { words } from '../words/words.js'
import { Section, Sheet } from './frame.js'
import { Icon } from './icons.js'

/** Cancels the wait for the camera. Kept outside the component, which a lock removes while the user takes a photo. */
let leaveCamera = () => {}

function choosePhotos(id: number, moment: Moment): void {
  const person = own.peek()?.profile.id
  if (person === undefined) return
  leaveCamera()
  const release = holdVisit(person, id)
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = 'image/*'
  input.multiple = true
  input.hidden = true
  leaveCamera = () => {
    release()
    input.remove()
  }
  input.onchange = () => {
    keepPhotos(person, id, moment, [...(input.files ?? [])])
    leaveCamera()
  }
  input.oncancel = leaveCamera
  document.body.append(input)
  input.click()
}

export function PhotoSection({ id }: { readonly id: number }) {
  const [looked, setLooked] = useState<PhotoRow | null>(null)
  const t = words.value
  const { photos } = draftOf(id)
  return (
    <Section title={t.work.photos}>
      <div class="moments">
        {moments.map((moment) => {
          const own = photos.filter((photo) => photo.moment === moment)
          return (
            <div key={moment} class="moment">
              <button
                type="button"
                class="button camera"
                aria-label={t.work.takePhoto(t.moments[moment])}
                onClick={() => choosePhotos(id, moment)}
              >
                <Icon name="camera" size={28} />
                {t.moments[moment]}
              </button>
              {own.map(({ id: photo }, index) => {
                const row = photoRows.value.get(photo)
                return (
                  row && (
                    <Shot
                      key={photo}
                      row={row}
                      name={t.work.photoOf(t.moments[moment], index + 1)}
                      onLook={() => setLooked(row)}
                    />
                  )
                )
              })}
            </div>
          )
        })}
      </div>
      {looked !== null && <LookedAt row={looked} onClose={() => setLooked(null)} />}
    </Section>
  )
}

/** A picture on this phone, decrypted while it is visible. */
function useSource({ id, state, sha256, type }: PhotoRow): string | null {
  const [source, setSource] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    const store = own.peek()?.store
    const reading =
      state === 'ready' && sha256 !== null ? store?.readBytes('file', sha256) : store?.readBytes('raw', id)
    void reading?.then((content) => {
      if (content === null || isGone) return
      made = URL.createObjectURL(new Blob([content], { type }))
      setSource(made)
    })
    return () => {
      isGone = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [id, state, sha256])
  return source
}

interface ShotProps {
  readonly row: PhotoRow
  readonly name: string
  readonly onLook: () => void
}

function Shot({ row, name, onLook }: ShotProps) {
  const source = useSource(row)
  return (
    <button type="button" class={row.state === 'raw' ? 'shot busy' : 'shot'} aria-label={name} onClick={onLook}>
      {source !== null && <img src={source} alt="" />}
    </button>
  )
}

function LookedAt({ row, onClose }: { readonly row: PhotoRow; readonly onClose: () => void }) {
  const source = useSource(row)
  const t = words.value.work
  const remove = () => {
    const here = own.peek()
    if (here !== null) removePhoto(here, photoRows.peek().get(row.id) ?? row).then(onClose, sayFailed)
  }
  return (
    <Sheet title={t.photos} onClose={onClose}>
      {source !== null && <img class="whole" src={source} alt="" />}
      <button type="button" class="button danger" onClick={remove}>
        {t.removePhoto}
      </button>
    </Sheet>
  )
}
