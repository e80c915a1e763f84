import { render } from 'preact'
import { readSession, session } from './session/session.js'
import { watchChanges } from './session/watch-changes.js'
import { keepWayBack } from './session/way-back.js'
import { App } from './shell/app.js'
import { preload } from './shell/screens.js'
import { takeInvitation } from './sign-in/sign-in-calls.js'
import { Failure } from './system/answered.js'
import { showTheme } from './system/theme.js'
import { speak } from './words/words.js'

const root = document.getElementById('app')

async function start(into: HTMLElement): Promise<void> {
  showTheme()
  takeInvitation()
  // A link that is opened where the console is open already loads no page.
  addEventListener('hashchange', takeInvitation)
  // The words and who it is come at once; modules of screens read words when they are loaded.
  const asked = readSession()
  asked.catch(() => null)
  await speak()
  void preload(location.pathname).catch(() => null)
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
