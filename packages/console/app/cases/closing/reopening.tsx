import { changed } from '../../api/changes.js'
import { sav } from '../../api/client.js'
import { Dialog } from '../../system/dialog.js'
import { Form, TextArea } from '../../system/form.js'
import { say } from '../../system/notices.js'
import { words } from '../../words/words.js'

interface ReopeningProps {
  readonly id: number
  readonly onClose: () => void
}

export function Reopening({ id, onClose }: ReopeningProps) {
  const t = words.value.oneCase
  return (
    <Dialog title={t.reopenTitle} onClose={onClose}>
      <p class="muted">{t.reopenText}</p>
      <Form
        keptAs={`reopen/${id}`}
        submit={t.reopen}
        onCancel={onClose}
        onSubmit={async (fields) => {
          await sav.post('/api/v1/sav/{id}/rouvrir', { params: { id }, body: { motif: fields.text('motif') } })
          onClose()
          say(t.reopened)
          changed()
        }}
      >
        <TextArea name="motif" label={t.reopenReason} required minLength={10} maxLength={1000} rows={3} />
      </Form>
    </Dialog>
  )
}
