import { useEffect, useState } from 'preact/hooks'
import { LocationProvider } from 'preact-iso'
import { base, to } from '../session/address.js'
import { isOfField, session } from '../session/session.js'
import { invitation, isChoosing } from '../sign-in/sign-in-calls.js'
import { Notices } from '../system/notices.js'
import { Loading } from '../system/page.js'
import { question } from '../system/question.js'
import { words } from '../words/words.js'
import { Navigation } from './navigation.js'
import { Screens } from './screens.js'
import { Shortcuts } from './shortcuts.js'

export function App() {
  const isAtDoor = session.value === null || isChoosing.value || invitation.value !== null
  return (
    <>
      {session.value === undefined ? <Loading /> : isAtDoor ? <Door /> : isOfField() ? <ToField /> : <Frame />}
      <Notices />
      {question.value}
    </>
  )
}

/** The sign-in, loaded only if nobody is signed in yet. */
function Door() {
  const [door, setDoor] = useState<typeof import('../sign-in/at-the-door.js') | null>(null)
  useEffect(() => void import('../sign-in/at-the-door.js').then(setDoor), [])
  return door === null ? <Loading /> : <door.AtTheDoor />
}

/** Leads users to the installers' app. */
function ToField() {
  useEffect(() => location.replace(to('/terrain/')), [])
  return <Loading />
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
      <Shortcuts />
    </LocationProvider>
  )
}
