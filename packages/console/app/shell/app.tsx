import { LocationProvider } from 'preact-iso'
import { NotifyingQuestion } from '../planning/notifying.js'
import { Notices } from '../system/notices.js'
import { Loading } from '../system/page.js'
import { words } from '../words/words.js'
import { AccountChoice } from './account-choice.js'
import { base } from './address.js'
import { Navigation } from './navigation.js'
import { Replacing } from './replacing.js'
import { Screens } from './screens.js'
import { type Session, session } from './session.js'
import { SignIn } from './sign-in.js'
import { invitation, isChoosing } from './sign-in-calls.js'

export function App() {
  if (session.value === undefined) return <Loading />
  return (
    <>
      <Shown now={session.value} />
      <Notices />
      <NotifyingQuestion />
    </>
  )
}

function Shown({ now }: { readonly now: Session | null }) {
  if (isChoosing.value) return <AccountChoice />
  if (now === null) return <SignIn />
  return invitation.value === null ? <Frame /> : <Replacing token={invitation.value} now={now} />
}

function Frame() {
  const t = words.value.navigation
  return (
    <LocationProvider scope={base || '/'}>
      <div class="frame">
        <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
          {t.skip}
        </button>
        <Navigation />
        <main id="content" tabIndex={-1}>
          <Screens />
        </main>
      </div>
    </LocationProvider>
  )
}
