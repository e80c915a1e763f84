import { useState } from 'preact/hooks'
import { chosen, contactAgain, tryCode, tryPasskey, type UnlockResult } from '../state/locking.js'
import { people } from '../state/own.js'
import type { Profile } from '../store/database.js'
import { afterWrongCode, maxWrongCodes, needsContact } from '../sync/lock.js'
import { words } from '../words/words.js'
import { Screen } from './frame.js'
import { Icon } from './icons.js'
import { Keypad } from './keypad.js'
import { SignIn } from './sign-in.js'

/** The screen of a user whose profile is still locked. */
export function Unlock({ profile }: { readonly profile: Profile }) {
  const [tried, setTried] = useState<UnlockResult | null>(null)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.lock
  const attempt = async (work: () => Promise<UnlockResult>) => {
    if (isBusy) return
    setBusy(true)
    setTried(null)
    setTried(await work().catch((): UnlockResult => 'wrong'))
    setBusy(false)
  }
  return (
    <Screen title={t.title(profile.nom)}>
      <div class="door">
        {needsContact(profile, Date.now()) ? (
          <NoContact profile={profile} />
        ) : profile.lock.is === 'code' ? (
          <>
            <Wrong profile={profile} />
            <Keypad
              label={isBusy ? t.unlocking : t.enterCode}
              isBusy={isBusy}
              onCode={(code) => attempt(() => tryCode(profile, code))}
            />
          </>
        ) : (
          <>
            {tried === 'wrong' && <p class="box bad">{t.passkeyFailed}</p>}
            <button type="button" class="button primary" onClick={() => attempt(() => tryPasskey(profile))}>
              <Icon name="finger" />
              {t.passkey}
            </button>
          </>
        )}
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            chosen.value = null
          }}
        >
          {words.value.me.change}
        </button>
      </div>
    </Screen>
  )
}

/** Says how many tries are left, and what the last one would cause. */
function Wrong({ profile }: { readonly profile: Profile }) {
  const t = words.value.lock
  const { wrongCodes, unsent } = people.value?.find(({ id }) => id === profile.id) ?? profile
  if (wrongCodes === 0) return null
  const isLast = afterWrongCode({ ...profile, wrongCodes }) === 'last'
  return (
    <p class="box bad" role="alert">
      {isLast ? t.last(unsent) : t.wrong(maxWrongCodes - wrongCodes)}
    </p>
  )
}

/** Shown when the service has not been reached for more than 72 hours. */
function NoContact({ profile }: { readonly profile: Profile }) {
  const [isRefused, setRefused] = useState(false)
  const t = words.value.lock
  return (
    <>
      <p class="box bad">{t.needsContact}</p>
      <button
        type="button"
        class="button primary"
        onClick={() => contactAgain(profile).then((isThere) => setRefused(!isThere))}
      >
        {t.tryContact}
      </button>
      {isRefused && <SignIn onSignedIn={() => void contactAgain(profile)} />}
    </>
  )
}
