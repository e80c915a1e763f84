import { render } from 'preact'
import { watchChanges } from './api/changes.js'
import { App } from './shell/app.js'
import { readSession, session } from './shell/session.js'
import { takeInvitation } from './shell/sign-in-calls.js'
import { showTheme } from './shell/theme.js'
import { Failure } from './system/answered.js'
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
    render(<App />, into)
    watchChanges(session)
  } catch (error) {
    render(<Failure error={error} retry={() => start(into)} />, into)
  }
}

if (root !== null) await start(root)
