import { useEffect, useState } from 'preact/hooks'
import { takesSecureCookies } from '../../app/session/secure-cookies.js'
import type { SessionView } from '../api.js'
import { officeAddress } from '../state/address.js'
import { isField, whoIsThere } from '../state/contact.js'
import { chosen, lock } from '../state/locking.js'
import { people } from '../state/own.js'
import { acceptInvitation, invitation, SignInRefused } from '../state/sign-in.js'
import { words } from '../words/words.js'
import { Screen } from './frame.js'
import { Icon } from './icons.js'
import { Setup } from './setup.js'
import { SignIn } from './sign-in.js'
import { Unlock } from './unlock.js'

/** The screen of a locked phone: it asks for the user, and then for the code or passkey. */
export function Door() {
  const [who, setWho] = useState<SessionView | null>(null)
  const known = people.value ?? []
  const here = known.find(({ id }) => id === chosen.value)
  useEffect(() => {
    // Asks the service for the signed-in user before a profile is opened, because the office may have signed this phone
    // out. If a link signs somebody in before the answer arrives, that user stays.
    void whoIsThere().then((found) => setWho((known) => known ?? found ?? null))
  }, [])
  if (here === undefined && !takesSecureCookies())
    return (
      <Screen title={words.value.door.title}>
        <p class="box bad">{words.value.door.needsHttps}</p>
      </Screen>
    )
  if (invitation.value !== null) return <Invited token={invitation.value} onSignedIn={setWho} />
  if (here !== undefined) return <Unlock profile={here} />
  const isNew = who?.utilisateur && !known.some(({ id }) => id === who.utilisateur?.id)
  return isNew ? <Entering who={who} /> : <Choosing onSignedIn={setWho} />
}

/** Shown to a signed-in user who has no profile on this phone yet. */
function Entering({ who }: { readonly who: SessionView }) {
  if (isField(who)) return <Setup who={who} />
  return (
    <Screen title={words.value.door.title}>
      <div class="door">
        <p class="box bad">{words.value.line.notField}</p>
        <a class="button" href={officeAddress}>
          {words.value.door.toOffice}
        </a>
      </div>
    </Screen>
  )
}

function Choosing({ onSignedIn }: { readonly onSignedIn: (who: SessionView) => void }) {
  const known = people.value ?? []
  const [isOther, setOther] = useState(known.length === 0)
  const t = words.value.door
  return (
    <Screen title={t.title}>
      <div class="door">
        {known.map(({ id, nom, compte, unsent }) => (
          <button
            key={id}
            type="button"
            class="person"
            onClick={() => {
              chosen.value = id
            }}
          >
            <Icon name="me" size={28} />
            <span>
              <strong>{nom}</strong>
              <small>{unsent > 0 ? t.unsent(unsent) : compte}</small>
            </span>
          </button>
        ))}
        {isOther ? (
          <>
            <p class="muted">{t.first}</p>
            <SignIn
              onSignedIn={(who) => {
                chosen.value = who.utilisateur?.id ?? null
                onSignedIn(who)
              }}
            />
          </>
        ) : (
          <button type="button" class="button quiet" onClick={() => setOther(true)}>
            <Icon name="plus" />
            {t.someoneElse}
          </button>
        )}
      </div>
    </Screen>
  )
}

interface InvitedProps {
  readonly token: string
  readonly onSignedIn: (who: SessionView) => void
}

/**
 * Signs this phone in as the user of a link. It asks first if another user is signed in, or has a profile on this
 * phone.
 */
function Invited({ token, onSignedIn }: InvitedProps) {
  const [problem, setProblem] = useState<'usedUp' | 'unreachable' | null>(null)
  /** Whether to use the link; null: not known until the service says whether somebody is signed in. */
  const [isMeant, setMeant] = useState<boolean | null>(people.value?.length === 0 ? null : false)
  const [replaced, setReplaced] = useState<SessionView | null>(null)
  const t = words.value.door
  useEffect(() => {
    void whoIsThere().then((found) => {
      setReplaced(found ?? null)
      setMeant((known) => known ?? !found)
    })
  }, [token])
  useEffect(() => {
    if (!isMeant || problem !== null) return
    const enter = async () => {
      await lock()
      const who = await acceptInvitation(token)
      chosen.value = who.utilisateur?.id ?? null
      onSignedIn(who)
      invitation.value = null
    }
    enter().catch((error: unknown) => setProblem(error instanceof SignInRefused ? 'usedUp' : 'unreachable'))
  }, [token, isMeant, problem])
  const leave = () => {
    invitation.value = null
  }
  return (
    <Screen title={t.title}>
      <div class="door">
        {problem !== null && <p class="box bad">{t[problem]}</p>}
        {isMeant !== false && problem === null && <p class="muted">{words.value.loading}</p>}
        {isMeant === false && (
          <>
            <p>{t.byLink}</p>
            {replaced?.utilisateur && <p>{t.replaced(replaced.utilisateur.nom)}</p>}
            <button type="button" class="button primary" onClick={() => setMeant(true)}>
              {t.goOn}
            </button>
          </>
        )}
        {problem === 'unreachable' && (
          <button type="button" class="button primary" onClick={() => setProblem(null)}>
            {words.value.retry}
          </button>
        )}
        {(isMeant === false || problem !== null) && (
          <button type="button" class="button" onClick={leave}>
            {words.value.cancel}
          </button>
        )}
      </div>
    </Screen>
  )
}
