import { useState } from 'preact/hooks'
import { inOurWords } from '../../app/words/service-words.js'
import { reach } from '../state/contact.js'
import { endWithoutText, giveUp, tryAgain } from '../state/facts.js'
import { sayFailed } from '../state/notices.js'
import { outbox, zone } from '../state/own.js'
import { isSending, sendNow } from '../state/sending.js'
import { tellsErased } from '../sync/answers.js'
import { type Item, isUnsent, type Refusal, unsentCount } from '../sync/item.js'
import { bytesOf, nextStep } from '../sync/outbox.js'
import { sizeOf, timeOf } from '../words/formats.js'
import { words } from '../words/words.js'
import { ReachBox } from './day.js'
import { Findings } from './findings.js'
import { Screen, Sheet } from './frame.js'
import { Icon } from './icons.js'

/** Each report with its progress, and the office's answer. */
export function OutboxScreen() {
  const t = words.value.outbox
  const { items } = outbox.value
  const left = unsentCount(outbox.value)
  const waiting = items.filter(isUnsent)
  const step = nextStep(outbox.value, Date.now())
  const received = items.filter((item) => !isUnsent(item)).toReversed()
  return (
    <Screen
      title={t.title}
      {...(left > 0 && {
        actions: (
          <button
            type="button"
            class="button primary"
            aria-disabled={isSending.value}
            onClick={() => sendNow().catch(sayFailed)}
          >
            <Icon name="send" />
            {isSending.value ? t.sending : t.sendNow}
          </button>
        ),
      })}
    >
      <ReachBox />
      <p class={left === 0 ? 'empty good' : 'muted'} role="status">
        {left === 0 ? t.nothing : t.left(left)}
      </p>
      <ul class="stack">
        {waiting.map((item) => (
          <WaitingItem key={item.id} item={item} isNext={'item' in step && item === step.item} />
        ))}
      </ul>
      {received.length > 0 && <h2 class="apart">{t.received}</h2>}
      <ul class="stack">
        {received.map((item) => (
          <ReceivedItem key={item.id} item={item} />
        ))}
      </ul>
    </Screen>
  )
}

function ItemHead({ item }: { readonly item: Item }) {
  const t = words.value.outbox
  const { all } = bytesOf(outbox.value, item)
  return (
    <>
      <p>
        <strong>{t.operations[item.operation]}</strong> {item.title}
      </p>
      <p class="muted">
        {t.happened(timeOf(item.survenu_a, zone.value))}
        {item.files.length > 0 && all > 0 && ` · ${t.files(item.files.length, sizeOf(all))}`}
      </p>
    </>
  )
}

function WaitingItem({ item, isNext }: { readonly item: Item; readonly isNext: boolean }) {
  const { all, sent } = bytesOf(outbox.value, item)
  const t = words.value.outbox
  return (
    <li class="card">
      <ItemHead item={item} />
      {item.state.is === 'waiting' && (
        <>
          {all > 0 && (
            <>
              <progress max={all} value={sent} aria-label={t.share(Math.floor((100 * sent) / all))} />
              <p class="muted">{t.share(Math.floor((100 * sent) / all))}</p>
            </>
          )}
          <p class="muted">{whyWaiting(item.state.because, isNext)}</p>
        </>
      )}
      {item.state.is === 'refused' && <RefusedItem item={item} refusal={item.state.refusal} />}
    </li>
  )
}

function whyWaiting(because: 'lost' | 'busy' | 'file_missing' | null, isNext: boolean): string {
  const t = words.value.outbox
  if (because === 'busy') return t.busy
  if (because === 'file_missing') return t.resent
  if (reach.value === 'signed-out' || reach.value === 'other-person') return t.waitsForSignIn
  if (!isSending.value || because !== null) return t.waiting
  return isNext ? t.sending : t.inTurn
}

function RefusedItem({ item, refusal }: { readonly item: Item; readonly refusal: Refusal }) {
  const [isAsking, setAsking] = useState(false)
  const t = words.value.outbox
  const isErased = tellsErased(refusal)
  const told = isErased ? t.erased : refusal.code === 'file_gone' ? t.lost : inOurWords(refusal)
  return (
    <>
      <p class="box bad" role="alert">
        {isErased ? told : t.refused(told)}
      </p>
      <div class="quick">
        {isErased && item.operation === 'intervention' ? (
          <button type="button" class="button" onClick={() => endWithoutText(item).catch(sayFailed)}>
            {t.endWithoutText}
          </button>
        ) : (
          !isErased && (
            <button type="button" class="button" onClick={() => tryAgain(item).catch(sayFailed)}>
              {t.tryAgain}
            </button>
          )
        )}
        <button
          type="button"
          class="button danger"
          onClick={() => (isErased ? giveUp(item).catch(sayFailed) : setAsking(true))}
        >
          {isErased ? t.seen : t.giveUp}
        </button>
      </div>
      {isAsking && (
        <Sheet title={t.giveUp} onClose={() => setAsking(false)}>
          <p>{t.giveUpSure}</p>
          <button type="button" class="button danger" onClick={() => giveUp(item).catch(sayFailed)}>
            {t.giveUp}
          </button>
        </Sheet>
      )}
    </>
  )
}

function ReceivedItem({ item }: { readonly item: Item }) {
  const t = words.value.outbox
  const constat = item.state.is === 'received' ? item.state.constat : null
  return (
    <li class="card">
      <ItemHead item={item} />
      {constat === null ? (
        <p class="good row-start">
          <Icon name="check" /> {t.arrived}
        </p>
      ) : (
        <>
          <Findings item={item} constat={constat} />
          <button type="button" class="button" onClick={() => giveUp(item).catch(sayFailed)}>
            {t.seen}
          </button>
        </>
      )}
    </li>
  )
}
