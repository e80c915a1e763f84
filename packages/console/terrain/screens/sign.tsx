import { useEffect, useState } from 'preact/hooks'
import { type DrawnSignature, SignatureSheet } from '../../app/system/signature-sheet.js'
import { go } from '../state/address.js'
import { changeDraft, draftOf } from '../state/drafting.js'
import { finish } from '../state/facts.js'
import { say, sayFailed } from '../state/notices.js'
import { own, visitOf } from '../state/own.js'
import type { Visit } from '../sync/day.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { Screen } from './frame.js'
import { Icon } from './icons.js'
import { shownText } from './shown-text.js'

/** The screens for signing: first the text to read, then the name and the signature. */
export function SignScreen({ id }: { readonly id: number }) {
  const visit = visitOf(id)
  /** The text that the customer has read. If the office changes the visit later, the new text is unsigned. */
  const [read, setRead] = useState<string | null>(null)
  const t = words.value.signing
  const draft = draftOf(id)
  if (visit === undefined || draft.resultat === null)
    return (
      <Screen title={t.title} up="">
        <p class="empty">{words.value.visit.gone}</p>
      </Screen>
    )
  const text = shownText(visit, draft)
  if (read !== null) return <Inking visit={visit} vu={read} onReadAgain={() => setRead(null)} />
  return (
    <Screen
      title={t.read}
      up={`/visite/${id}/intervention`}
      actions={
        <button type="button" class="button primary" onClick={() => setRead(text)}>
          {t.signNow}
        </button>
      }
    >
      <section class="card shown">
        {text.split('\n').map((line) => (
          <p key={line}>{line}</p>
        ))}
      </section>
    </Screen>
  )
}

/** The bytes of a `data:` address, which the page may not fetch. */
const bytesOf = (dataUri: string): ArrayBuffer =>
  Uint8Array.from(atob(dataUri.slice(dataUri.indexOf(',') + 1)), (letter) => letter.charCodeAt(0)).buffer

interface LockableOrientation extends ScreenOrientation {
  lock(to: 'landscape'): Promise<void>
}

/** Turns the screen in browsers that support it; in others (Safari) the user turns it. */
function useWholeScreen(): void {
  useEffect(() => {
    const turn = async () => {
      await document.documentElement.requestFullscreen()
      await (screen.orientation as LockableOrientation).lock('landscape')
    }
    if (matchMedia('(pointer: coarse)').matches) turn().catch(() => {})
    return () => {
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {})
    }
  }, [])
}

/** The drawing, and the text that it signs. */
type Ink = DrawnSignature & { readonly vu: string }

interface InkingProps {
  readonly visit: Visit
  readonly vu: string
  readonly onReadAgain: () => void
}

function Inking({ visit: { id, client }, vu, onReadAgain }: InkingProps) {
  const [signed, setSigned] = useState<DrawnSignature | null | undefined>(undefined)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { resultat, signataire } = draftOf(id)
  const t = words.value.signing
  useWholeScreen()
  useEffect(() => {
    // By default, the customer signs.
    if (draftOf(id).signataire === '') changeDraft(id, { signataire: personName(client) })
  }, [id])
  useEffect(() => {
    // Reads the stored signature: the screen may have been locked, or a phone call may have come, after it was drawn.
    const reading = own.peek()?.store.read<Ink>('ink', String(id)) ?? Promise.resolve(null)
    reading.then(
      (ink) => setSigned(ink?.vu === vu ? ink : null),
      () => setSigned(null),
    )
  }, [id, vu])
  const change = (next: DrawnSignature | null) => {
    setSigned(next)
    setProblem(null)
    const value: Ink | null = next && { ...next, vu }
    void own
      .peek()
      ?.store.write({ kind: 'ink', id: String(id), value })
      .catch(sayFailed)
  }
  const end = async () => {
    if (isBusy || resultat === null) return
    if (signataire.trim() === '') return setProblem(words.value.work.lacking.signataire)
    if (!signed) return setProblem(t.missing)
    if (signed.png === null) return setProblem(t.blank)
    setBusy(true)
    try {
      await finish(id, resultat, { png: bytesOf(signed.png), vu })
      say(words.value.work.done)
      go('', 'replace')
    } catch (error) {
      sayFailed(error)
      setBusy(false)
    }
  }
  return (
    <main class="signing">
      <div class="row">
        <button type="button" class="round" aria-label={t.again} onClick={onReadAgain}>
          <Icon name="back" size={26} />
        </button>
        <label class="field">
          <span class="hidden">{t.name}</span>
          <input
            type="text"
            maxLength={120}
            autocomplete="off"
            autocapitalize="words"
            enterkeyhint="done"
            placeholder={t.name}
            value={signataire}
            onInput={({ currentTarget }) => changeDraft(id, { signataire: currentTarget.value })}
          />
        </label>
      </div>
      <h1 class="hidden">{t.title}</h1>
      <div class="sheet-frame">
        {signed !== undefined && <SignatureSheet label={t.ink} signed={signed} onChange={change} />}
      </div>
      {problem !== null && (
        <p class="box bad" role="alert">
          {problem}
        </p>
      )}
      <p class="muted turn">{t.turn}</p>
      <div class="row ends">
        <button type="button" class="button" onClick={() => change(null)}>
          {t.clear}
        </button>
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={end}>
          {t.finish}
        </button>
      </div>
    </main>
  )
}
