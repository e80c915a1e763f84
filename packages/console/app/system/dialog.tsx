import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { words } from '../words/words.js'
import { focusFirstField } from './first-field.js'
import { Icon } from './icons.js'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  /**
   * Whether the dialog is a search: at the top of the window, with the same size however many results it shows. Its
   * title is then only for screen readers.
   */
  readonly isPalette?: boolean
  readonly children: ComponentChildren
}

/** Open while it is rendered; Escape, its cross and a click outside close it. The focus returns to where it was. */
export function Dialog({ title, onClose, wide = false, isPalette = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** Whether `onClose` was called. The browser's `close` event, which follows, must not call it again. */
  const hasTold = useRef(false)
  const leave = () => {
    hasTold.current = true
    onClose()
  }
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    focusFirstField(ref.current)
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={ref}
      class={['dialog', wide && 'dialog-wide', isPalette && 'dialog-palette'].filter(Boolean).join(' ')}
      aria-labelledby={id}
      onClose={() => hasTold.current || leave()}
      onClick={({ target }) => target === ref.current && leave()}
    >
      <div class="dialog-body">
        <header class="card-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" aria-label={words.value.close} onClick={leave}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
