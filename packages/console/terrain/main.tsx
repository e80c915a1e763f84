import { render } from 'preact'
import { App } from './screens/app.js'
import { Problem } from './screens/problem.js'
import { keepAddress } from './state/address.js'
import { keepUpToDate } from './state/contact.js'
import { keepDrafting } from './state/drafting.js'
import { chosen, keepLocked } from './state/locking.js'
import { people, readPeople } from './state/own.js'
import { keepSending } from './state/sending.js'
import { takeInvitation } from './state/sign-in.js'
import { keepThumbnails } from './state/thumbnails.js'
import { keepShell } from './state/updating.js'
import { speak, words } from './words/words.js'

const root = document.getElementById('app')

async function start(into: HTMLElement): Promise<void> {
  document.documentElement.dataset['theme'] = localStorage.getItem('sav-theme') ?? 'auto'
  takeInvitation()
  addEventListener('hashchange', takeInvitation)
  speak()
  void keepShell().catch(console.error)
  try {
    await readPeople()
  } catch {
    return render(<Problem text={words.value.trouble.noStorage} />, into)
  }
  // If the phone has only one user, it does not ask who is using it.
  const [only, ...others] = people.value ?? []
  if (only !== undefined && others.length === 0) chosen.value = only.id
  keepAddress()
  keepLocked()
  keepDrafting()
  keepUpToDate()
  keepSending()
  keepThumbnails()
  render(<App />, into)
}

if (root !== null) await start(root)
