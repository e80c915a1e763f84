import { useId, useState } from 'preact/hooks'
import { sav } from '../api/client.js'
import { act } from '../system/act.js'
import { Labelled } from '../system/bits.js'
import { say, sayFailed } from '../system/notices.js'
import { words } from '../words/words.js'
import { readable } from './picture-fields.js'
import { dataUriOf, offered } from './pictures.js'

interface AddPhotosProps {
  readonly id: number
  /** The visit at which the photos are taken. */
  readonly rdv_id?: number | undefined
}

const most = 10

/** Adds photos to a case outside any form: chosen photos are sent at once. */
export function AddPhotos({ id, rdv_id }: AddPhotosProps) {
  const input = useId()
  const [isBusy, setBusy] = useState(false)
  const { newCase, comments: t } = words.value
  const add = async (files: readonly File[]) => {
    if (files.length > most) return sayFailed(newCase.tooMany)
    setBusy(true)
    await act(async () => {
      const photos = await Promise.all((await readable(files)).map(dataUriOf))
      if (photos.length === 0) return
      await sav.post('/api/v1/sav/{id}/photos', { params: { id }, body: { photos, rdv_id } })
      say(t.photosAdded(photos.length))
    })
    setBusy(false)
  }
  return (
    <div class="drop-here">
      <label for={input} class="button small" aria-disabled={isBusy}>
        <Labelled icon="camera">{newCase.addPhotos}</Labelled>
      </label>
      <input
        id={input}
        class="hidden"
        type="file"
        accept={offered}
        multiple
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) void add(files)
        }}
      />
    </div>
  )
}
