import { render } from 'preact'
import { readSession, session } from './session/session.js'
import { watchChanges } from './session/watch-changes.js'
import { keepWayBack } from './session/way-back.js'
import { App } from './shell/app.js'
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
  await speak()
  try {
    await readSession()
    if (session.peek() === null) keepWayBack(null)
    render(<App />, into)
    watchChanges(session)
  } catch (error) {
    render(<Failure error={error} retry={() => start(into)} />, into)
  }
}

if (root !== null) await start(root)
