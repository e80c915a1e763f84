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
  // A link that is opened where the console is open already loads no page.
  addEventListener('hashchange', takeInvitation)
  // Who it is, the words and the screen come at once, and what the screen shows as soon as it is known who asks.
  const asked = readSession().then(() => session.peek() && !isOfField() && askForScreen(location))
  asked.catch(() => null)
  const speaking = speak()
  void preload(location.pathname).catch(() => null)
  // The first format of a page takes long: it is made while these are on their way.
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
