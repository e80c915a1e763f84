import { screenHere } from '../state/address.js'
import { outbox, own, people } from '../state/own.js'
import { invitation } from '../state/sign-in.js'
import { unsentCount } from '../sync/item.js'
import { words } from '../words/words.js'
import { DayScreen } from './day.js'
import { Door } from './door.js'
import { NoticeBar, Tab } from './frame.js'
import { Me } from './me.js'
import { OutboxScreen } from './outbox.js'
import { SignScreen } from './sign.js'
import { VisitScreen } from './visit.js'
import { WorkScreen } from './work.js'

export function App() {
  if (people.value === undefined) return null
  return (
    <>
      <NoticeBar />
      {own.value === null || invitation.value !== null ? <Door /> : <Inside />}
    </>
  )
}

function Inside() {
  const screen = screenHere.value
  const [, id, part] = /^\/visite\/(\d+)(?:\/(\w+))?$/.exec(screen) ?? []
  if (id !== undefined) return <OfVisit key={screen} id={Number(id)} part={part} />
  const t = words.value.tabs
  return (
    <>
      {screen === '/a-envoyer' ? <OutboxScreen /> : screen === '/moi' ? <Me /> : <DayScreen />}
      <nav class="tabs" aria-label={t.name}>
        <Tab screen="" icon="day" name={t.day} />
        <Tab screen="/a-envoyer" icon="send" name={t.outbox} count={unsentCount(outbox.value)} />
        <Tab screen="/moi" icon="me" name={t.me} />
      </nav>
    </>
  )
}

function OfVisit({ id, part }: { readonly id: number; readonly part: string | undefined }) {
  if (part === 'intervention') return <WorkScreen id={id} />
  if (part === 'signature') return <SignScreen id={id} />
  return <VisitScreen id={id} />
}
