import { useEffect, useState } from 'preact/hooks'
import { signInOfHost } from '../session/address.js'
import { takesSecureCookies } from '../session/secure-cookies.js'
import { hasEnded } from '../session/session.js'
import { Icon } from '../system/icons.js'
import { words } from '../words/words.js'
import { Door, Problem } from './door.js'
import {
  enterByInvitation,
  invitation,
  type Methods,
  oidcAddress,
  otherAccountAddress,
  readMethods,
  signInWithPasskey,
  whyRefused,
} from './sign-in-calls.js'

/**
 * The sign-in page. An invitation's token is after the `#`, where neither a server nor a mail scanner that only loads
 * the page sees it. The page removes it from the address first, and then posts it.
 */
export function SignIn() {
  const t = words.value.signIn
  if (takesSecureCookies()) return <WaysIn />
  return (
    <Door title={t.title} lead={t.lead}>
      <Problem text={t.needsHttps} />
    </Door>
  )
}

function WaysIn() {
  const [methods, setMethods] = useState<Methods | null>(null)
  const [problem, setProblem] = useState<string | null>(problemInAddress)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.signIn

  const attempt = async (work: () => Promise<void>, whyNot: (error: unknown) => string) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(whyNot(error))
    }
    setBusy(false)
  }

  useEffect(() => {
    readMethods().then(setMethods, () => setProblem(words.value.failures.unreachable))
  }, [])
  const token = invitation.value
  useEffect(() => {
    if (token === null) return
    attempt(
      () => enterByInvitation(token),
      (error) => {
        invitation.value = null
        return whyRefused(error)
      },
    )
  }, [token])

  const hasWay = methods !== null && methods.phrase === null && (methods.passkey || methods.oidc)
  return (
    <Door title={t.title} lead={t.lead}>
      {hasEnded.value && <Hint text={t.ended} />}
      {problem !== null && <Problem text={problem} />}
      {methods?.phrase && <Hint text={methods.phrase} />}
      {isBusy && <p class="muted">{t.opening}</p>}
      {hasWay && methods.passkey && (
        <div class="stack-small">
          <button
            type="button"
            class="button primary"
            aria-disabled={isBusy}
            onClick={() => attempt(signInWithPasskey, () => t.passkeyFailed)}
          >
            <Icon name="keys" />
            {t.passkey}
          </button>
          <p class="hint">{t.passkeyHint}</p>
        </div>
      )}
      {hasWay && methods.oidc && (
        <div class="stack-small">
          <a class="button" href={oidcAddress()}>
            {t.oidc}
          </a>
          {methods.choix && <a href={otherAccountAddress()}>{t.otherAccount}</a>}
        </div>
      )}
      {methods !== null && methods.phrase === null && (
        <div class="small">
          <strong>{hasWay ? t.withInvitation : t.noWay}</strong>
          <p class="muted">{t.noWayText}</p>
        </div>
      )}
    </Door>
  )
}

/** The sign-in of the host's users, on a page of the host. */
export function SignInAtHost() {
  const t = words.value.signIn
  return (
    <Door title={t.title} lead={t.lead}>
      {hasEnded.value && <Hint text={t.ended} />}
      <a class="button primary" href={signInOfHost}>
        {t.atHost}
      </a>
    </Door>
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

/** A failure at the provider, from the address. */
function problemInAddress(): string | null {
  const found = new URLSearchParams(location.search).get('erreur')
  const texts: Readonly<Record<string, string>> = words.value.signIn.erreurs
  return found === null ? null : (texts[found] ?? words.value.signIn.refused)
}
