import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { to } from '../session/address.js'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

interface PageProps {
  readonly title: string
  /** The part beside the title, such as its state. */
  readonly beside?: ComponentChildren
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  /** The screen above this one. */
  readonly up?: { readonly screen: string; readonly name: string }
  readonly narrow?: boolean
  /** As wide as the window. */
  readonly wide?: boolean
  readonly children?: ComponentChildren
}

/** A screen: its heading gets the focus when it opens, so that screen readers and keys begin there. */
export function Page({ title, beside, lead, actions, up, narrow = false, wide = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · SAV`
  }, [title])
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body || activeElement.closest('nav') !== null)
      heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class={['page', narrow && 'page-narrow', wide && 'page-wide'].filter(Boolean).join(' ')}>
      <header class="page-head">
        <div class="page-title">
          {up && (
            <a class="up" href={to(up.screen)}>
              <Icon name="back" size={16} />
              {up.name}
            </a>
          )}
          <div class="page-heading">
            <h1 tabIndex={-1} ref={heading}>
              {title}
            </h1>
            {beside}
          </div>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

export function Card({ title, actions, class: more = '', children }: CardProps) {
  return (
    <section class={`card ${more}`}>
      {title && (
        <header class="card-head">
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

interface EmptyProps {
  readonly title: string
  readonly text?: string
  readonly children?: ComponentChildren
}

/** Shown if there is nothing yet: what belongs here, and the next step. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

/** Appears only after a moment: fast answers need no announcement. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {words.value.loading}
    </p>
  )
}
