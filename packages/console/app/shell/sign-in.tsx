import { useEffect, useState } from 'preact/hooks'
import { Brand, Icon } from '../system/icons.js'
import { words } from '../words/words.js'
import { Appearance } from './navigation.js'
import { hasEnded } from './session.js'
import {
  acceptInvitation,
  invitation,
  type Methods,
  oidcAddress,
  readMethods,
  signInWithPasskey,
} from './sign-in-calls.js'

/**
 * The way in. An invitation carries its token behind the `#`, where no server and no mail scanner that only loads the page
 * sees it; the page takes it out of the address before anything else, and posts it.
 */
export function SignIn() {
  const [methods, setMethods] = useState<Methods | null>(null)
  const [problem, setProblem] = useState<string | null>(problemInAddress)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.signIn

  const attempt = async (work: () => Promise<void>, refusal: string) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch {
      setProblem(refusal)
    }
    setBusy(false)
  }

  useEffect(() => {
    document.title = `${t.title} · SAV`
    readMethods().then(setMethods, () => setProblem(words.value.failures.unreachable))
  }, [])
  const token = invitation.value
  useEffect(() => {
    if (token === null) return
    attempt(() => acceptInvitation(token), t.usedUp).then(() => {
      invitation.value = null
    })
  }, [token])

  const hasWay = methods !== null && methods.phrase === null && (methods.passkey || methods.oidc)
  return (
    <main class="door">
      <div class="card door-card">
        <Brand size={44} />
        <h1>{t.title}</h1>
        <p class="muted">{t.lead}</p>
        {hasEnded.value && <Hint text={t.ended} />}
        {problem !== null && (
          <p class="failure" role="alert">
            <Icon name="warning" />
            <span>{problem}</span>
          </p>
        )}
        {methods?.phrase && <Hint text={methods.phrase} />}
        {isBusy && <p class="muted">{t.opening}</p>}
        {hasWay && methods.passkey && (
          <div class="stack-small">
            <button
              type="button"
              class="button primary"
              aria-disabled={isBusy}
              onClick={() => attempt(signInWithPasskey, t.passkeyFailed)}
            >
              <Icon name="keys" />
              {t.passkey}
            </button>
            <p class="hint">{t.passkeyHint}</p>
          </div>
        )}
        {hasWay && methods.oidc && (
          <a class="button" href={oidcAddress()}>
            {t.oidc}
          </a>
        )}
        {methods !== null && methods.phrase === null && (
          <div class="small">
            <strong>{hasWay ? t.withInvitation : t.noWay}</strong>
            <p class="muted">{t.noWayText}</p>
          </div>
        )}
        <div class="preferences">
          <span />
          <Appearance />
        </div>
      </div>
    </main>
  )
}

function Hint({ text }: { readonly text: string }) {
  return (
    <p class="hint-box" role="status">
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  )
}

/** What went wrong at the provider, as it comes back in the address. */
function problemInAddress(): string | null {
  const found = new URLSearchParams(location.search).get('erreur')
  const texts: Readonly<Record<string, string>> = words.value.signIn.erreurs
  return found === null ? null : (texts[found] ?? words.value.signIn.refused)
}
