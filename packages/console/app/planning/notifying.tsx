import { ownAccount } from '../account/questions.js'
import type { Rdv } from '../api/client.js'
import { clientById } from '../directory/questions.js'
import { may } from '../session/session.js'
import { Dialog } from '../system/dialog.js'
import { question } from '../system/question.js'
import { words } from '../words/words.js'

interface OpenQuestion {
  readonly letters: number
  /** @param prevenir null: do not make the change */
  readonly answer: (prevenir: boolean | null) => void
}

let standing: OpenQuestion | null = null

/** Asks whether to notify customers if the change would send letters. Null: do not make the change. */
export async function askNotifying(letters: number): Promise<boolean | null> {
  if (letters === 0) return true
  standing?.answer(null)
  const prevenir = await new Promise<boolean | null>((answer) => {
    standing = { letters, answer }
    question.value = <NotifyingQuestion {...standing} />
  })
  standing = null
  question.value = null
  return prevenir
}

/** How many letters a new time of a visit would send: none if the customer was never notified, or cannot be reached. */
export async function lettersFor({ statut, client, debut }: Rdv): Promise<number> {
  const isAwaited = statut === 'planifie' || statut === 'confirme'
  if (!isAwaited || Date.parse(debut) <= Date.now() || !may('sav:read') || !may('directory:read')) return 0
  const { signal } = new AbortController()
  if (!(await ownAccount.ask('own', signal)).confirmation_rdv) return 0
  const { email, whatsapp } = await clientById.ask(client.id, signal)
  return email !== null || whatsapp ? 1 : 0
}

function NotifyingQuestion({ letters, answer }: OpenQuestion) {
  const t = words.value.planning
  return (
    <Dialog title={t.notify(letters)} onClose={() => answer(null)}>
      <p>{t.notifyText}</p>
      <div class="form-actions">
        <button type="button" class="button" onClick={() => answer(false)}>
          {t.notNotify}
        </button>
        <button type="button" class="button primary" onClick={() => answer(true)}>
          {t.doNotify}
        </button>
      </div>
    </Dialog>
  )
}
