import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Labelled } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { sayFailed } from '../system/notices.js'
import { words } from '../words/words.js'
import { filesIn, offered, type Picture, pictureOf } from './pictures.js'

interface PicturesProps {
  readonly pictures: readonly Picture[]
  readonly onChange: (change: (before: readonly Picture[]) => readonly Picture[]) => void
}

const most = 10

/** Photos chosen on this device. */
function Chosen({ picture: { content }, name }: { readonly picture: Picture; readonly name: string }) {
  const url = useMemo(() => URL.createObjectURL(content), [content])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return <img src={url} alt={name} />
}

/** A field for photos, which the user drops on it, pastes anywhere on the page, chooses, or takes. */
export function PicturesField({ pictures, onChange }: PicturesProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const t = words.value.newCase
  const add = async (files: readonly File[]) => {
    const read = await readable(files)
    onChange((before) => {
      if (before.length + read.length > most) sayFailed(t.tooMany)
      return [...before, ...read].slice(0, most)
    })
  }
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const files = filesIn(clipboardData)
      if (files.length > 0) latest.current(files)
    }
    addEventListener('paste', onPaste)
    return () => removeEventListener('paste', onPaste)
  }, [])
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(filesIn(event.dataTransfer))
  }
  const onDragOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; the button in it does the same for keys
    <div
      class={isOver ? 'drop drop-over' : 'drop'}
      onDrop={onDrop}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
    >
      {pictures.length > 0 && (
        <ul class="photos">
          {pictures.map((picture, index) => (
            <li key={`${picture.name}${picture.content.size}`} class="photo">
              <Chosen picture={picture} name={picture.name} />
              <button
                type="button"
                class="photo-remove"
                aria-label={t.removePhoto(index + 1)}
                onClick={() => onChange((before) => before.filter((each) => each !== picture))}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <label for={id} class="button small">
        <Labelled icon="camera">{t.addPhotos}</Labelled>
      </label>
      <input
        id={id}
        class="hidden"
        type="file"
        accept={offered}
        multiple
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <span class="hint">{t.photosHint}</span>
    </div>
  )
}

/** The files that are pictures; the others are reported. */
export async function readable(files: readonly File[]): Promise<Picture[]> {
  const read = await Promise.all(files.map(async (file) => ({ file, picture: await pictureOf(file) })))
  for (const { file, picture } of read) if (picture === null) sayFailed(words.value.newCase.unreadable(file.name))
  return read.flatMap(({ picture }) => picture ?? [])
}

interface OnePictureProps {
  readonly label: string
  readonly picture: Picture | null
  readonly onChange: (picture: Picture | null) => void
}

export function OnePictureField({ label, picture, onChange }: OnePictureProps) {
  const id = useId()
  const t = words.value.closing
  return (
    <div class="field">
      <span class="label">{label}</span>
      <div class="drop">
        {picture && (
          <div class="photo">
            <Chosen picture={picture} name={label} />
          </div>
        )}
        <div class="row">
          <label for={id} class="button small">
            <Labelled icon="camera">{t.choose}</Labelled>
          </label>
          {picture && (
            <button type="button" class="button small" onClick={() => onChange(null)}>
              {t.remove}
            </button>
          )}
        </div>
        <input
          id={id}
          class="hidden"
          type="file"
          accept={offered}
          aria-label={label}
          onChange={async ({ currentTarget }) => {
            const [read] = await readable([...(currentTarget.files ?? [])])
            currentTarget.value = ''
            if (read) onChange(read)
          }}
        />
      </div>
    </div>
  )
}
