import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { screenHere, to } from '../state/address.js'
import { notice } from '../state/notices.js'
import { words } from '../words/words.js'
import { Icon, type IconName } from './icons.js'

interface ScreenProps {
  readonly title: string
  /** The title that the browser gets if the visible one names a customer: browsers store titles. */
  readonly page?: string
  /** The screen above this one. */
  readonly up?: string
  /** The most frequent actions, within a thumb's reach. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A screen: its title on top, its actions at the bottom. */
export function Screen({ title, page = title, up, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${page} · SAV`
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <>
      <header class="top">
        {up !== undefined && (
          <a class="round" href={to(up)} aria-label={words.value.back}>
            <Icon name="back" size={26} />
          </a>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </header>
      <main>{children}</main>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly children: ComponentChildren
}

export function Section({ title, children }: SectionProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A panel that slides up from the bottom. When it closes, the focus returns to where it was. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} class="sheet" aria-label={title} onClose={onClose}>
      <div class="row">
        <h2>{title}</h2>
        <button type="button" class="round" aria-label={words.value.close} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  )
}

interface TabProps {
  readonly screen: string
  readonly icon: IconName
  readonly name: string
  readonly count?: number
}

export function Tab({ screen, icon, name, count = 0 }: TabProps) {
  return (
    <a class="tab" href={to(screen)} aria-current={screenHere.value === screen ? 'page' : undefined}>
      <span class="tab-icon">
        <Icon name={icon} />
        {count > 0 && <span class="count">{count}</span>}
      </span>
      {name}
    </a>
  )
}

export function NoticeBar() {
  const { value } = notice
  return (
    <div class="notices" role="status">
      {value !== null && (
        <div class={value.isTrouble ? 'notice trouble' : 'notice'}>
          <Icon name={value.isTrouble ? 'warning' : 'check'} />
          <span>{value.text}</span>
          {value.isTrouble && (
            <button
              type="button"
              class="round"
              aria-label={words.value.close}
              onClick={() => {
                notice.value = null
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      )}
    </div>
  )
}
