import { useEffect, useState } from 'preact/hooks'
import { reach, refresh, whoIsThere } from '../state/contact.js'
import { chosen, lock } from '../state/locking.js'
import { sayFailed } from '../state/notices.js'
import { outbox, own } from '../state/own.js'
import { sendNow } from '../state/sending.js'
import { signOut } from '../state/sign-in.js'
import { nextVersion, update } from '../state/updating.js'
import { wipe } from '../store/profiles.js'
import { unsentCount } from '../sync/item.js'
import { choose, language, words } from '../words/words.js'
import { ReachBox } from './day.js'
import { Screen, Section, Sheet } from './frame.js'
import { Icon } from './icons.js'
import { SignIn } from './sign-in.js'

/** Shows the user whose profile is open, and a button to close it. */
export function Me() {
  const [isForgetting, setForgetting] = useState(false)
  const t = words.value.me
  const profile = own.value?.profile
  const needsSignIn = reach.value === 'signed-out' || reach.value === 'other-person'
  const change = () =>
    lock().then(() => {
      chosen.value = null
    })
  return (
    <Screen title={t.title}>
      <section class="card">
        <p>
          <strong>{profile?.nom}</strong>
        </p>
        <p class="muted">{profile?.compte}</p>
      </section>
      {nextVersion.value !== null && (
        <button type="button" class="button" onClick={update}>
          {t.update} {t.updateNow}
        </button>
      )}
      {needsSignIn && (
        <Section title={t.signIn}>
          <p class="muted">
            {reach.value === 'signed-out' ? words.value.line.signedOut : words.value.line.otherPerson}
          </p>
          <SignIn onSignedIn={() => refresh().then(sendNow).catch(sayFailed)} />
        </Section>
      )}
      {!needsSignIn && <ReachBox />}
      <StorageHint />
      <div class="stack">
        <button type="button" class="button" onClick={() => lock()}>
          <Icon name="lock" />
          {t.lock}
        </button>
        <button type="button" class="button" onClick={change}>
          <Icon name="me" />
          {t.change}
        </button>
        <label class="field">
          {t.language}
          <select
            value={language.value}
            onChange={({ currentTarget }) => choose(currentTarget.value === 'en' ? 'en' : 'fr')}
          >
            {(['fr', 'en'] as const).map((each) => (
              <option key={each} value={each} selected={each === language.value}>
                {t.languages[each]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button danger" onClick={() => setForgetting(true)}>
          {t.forget}
        </button>
      </div>
      {isForgetting && <Forgetting onClose={() => setForgetting(false)} />}
    </Screen>
  )
}

/** A warning that this browser may delete data, because it has not granted persistent storage. */
function StorageHint() {
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    void navigator.storage?.persisted?.().then(setKept, () => {})
  }, [])
  return isKept ? null : <p class="muted">{words.value.me.storage}</p>
}

function Forgetting({ onClose }: { readonly onClose: () => void }) {
  const t = words.value.me
  const forget = async () => {
    const person = own.peek()?.profile.id
    if (person === undefined) return
    const who = await whoIsThere()
    if (who?.utilisateur?.id === person) await signOut()
    await wipe(person)
    chosen.value = null
    await lock()
  }
  return (
    <Sheet title={t.forget} onClose={onClose}>
      <p>{t.forgetSure(unsentCount(outbox.value))}</p>
      <button type="button" class="button danger" onClick={() => forget().catch(sayFailed)}>
        {t.forget}
      </button>
    </Sheet>
  )
}
