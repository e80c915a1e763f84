import { render } from 'preact'
import { isOfField, readSession, session } from './session/session.js'
import { watchChanges } from './session/watch-changes.js'
import { keepWayBack } from './session/way-back.js'
import { App } from './shell/app.js'
import { askForScreen, preload } from './shell/screens.js'
import { takeInvitation } from './sign-in/sign-in-calls.js'
import { Failure } from './system/answered.js'
import { showTheme } from './system/theme.js'
import { number } from './words/formats.js'
import { speak } from './words/words.js'

const root = document.getElementById('app')

async function start(into: HTMLElement): Promise<void> {
  showTheme()
  takeInvitation()
  // If the console is already open, opening an invitation link only changes the hash.
  addEventListener('hashchange', takeInvitation)
  // Session, words and screen are loaded in parallel, and the screen's data as soon as the user is known.
  const asked = readSession().then(() => session.peek() && !isOfField() && askForScreen(location))
  asked.catch(() => null)
  const speaking = speak()
  void preload(location.pathname).catch(() => null)
  // The first number format of a page is slow to create, so it is created while the session, the words and the screen
  // are loading.
  number(0)
  await speaking
  try {
    await asked
    if (session.peek() === null) keepWayBack(null)
    render(<App />, into)
    watchChanges(session)
  } catch (error) {
    render(<Failure error={error} retry={() => start(into)} />, into)
  }
}

if (root !== null) await start(root)
