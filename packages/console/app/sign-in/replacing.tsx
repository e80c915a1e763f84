import { useEffect, useState } from 'preact/hooks'
import { readSession, type SignedInUser } from '../session/session.js'
import { words } from '../words/words.js'
import { Door, PersonOf, Problem } from './door.js'
import {
  acceptInvitation,
  type Invitee,
  invitation,
  lookAtInvitation,
  SignInRefused,
  whyRefused,
} from './sign-in-calls.js'

interface ReplacingProps {
  readonly token: string
  readonly now: SignedInUser
}

/** A link was opened while a user is signed in: the user decides whether to use it, and it stays valid until then. */
export function Replacing({ token, now }: ReplacingProps) {
  const [invited, setInvited] = useState<Invitee | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.signIn.replacing
  useEffect(() => {
    // Another user may have signed in in another tab.
    readSession()
      .then(() => lookAtInvitation(token))
      .then(setInvited, (error) => setProblem(whyRefused(error)))
  }, [token])

  const accept = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await acceptInvitation(token)
    } catch (error) {
      if (error instanceof SignInRefused) setInvited(null)
      setProblem(whyRefused(error))
      setBusy(false)
    }
  }
  return (
    <Door title={t.title} lead={t.signedInAs(<PersonOf nom={now.utilisateur.nom} compte={now.compte} />)}>
      {problem !== null && <Problem text={problem} />}
      {invited !== null && (
        <>
          <p>{t.question(<PersonOf nom={invited.utilisateur.nom} compte={invited.compte} />)}</p>
          <button type="button" class="button primary" aria-disabled={isBusy} onClick={accept}>
            <Verb text={t.accept} nom={invited.utilisateur.nom} />
          </button>
        </>
      )}
      <button
        type="button"
        class="button"
        onClick={() => {
          invitation.value = null
        }}
      >
        <Verb text={t.stay} nom={now.utilisateur.nom} />
      </button>
    </Door>
  )
}

function Verb({ text, nom }: { readonly text: string; readonly nom: string }) {
  return (
    <span>
      {text}
      <bdi>{nom}</bdi>
    </span>
  )
}
