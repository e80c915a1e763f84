import { useEffect, useState } from 'preact/hooks'
import type { SessionView } from '../api.js'
import { type Methods, oidcAddress, readMethods, signInWithPasskey } from '../state/sign-in.js'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

/** The ways to sign in without a link. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: (who: SessionView) => void }) {
  const [methods, setMethods] = useState<Methods | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.door
  useEffect(() => {
    readMethods().then(setMethods, () => setProblem(words.value.door.unreachable))
  }, [])
  const enter = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    await signInWithPasskey().then(onSignedIn, () => setProblem(t.failed))
    setBusy(false)
  }
  return (
    <div class="stack">
      {problem !== null && (
        <p class="box bad" role="alert">
          {problem}
        </p>
      )}
      {methods?.passkey && (
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={enter}>
          <Icon name="key" />
          {t.passkey}
        </button>
      )}
      {methods?.oidc && (
        <a class="button" href={oidcAddress()} target="_top">
          {t.oidc}
        </a>
      )}
    </div>
  )
}
