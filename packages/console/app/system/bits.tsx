import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { age, away, exact } from '../words/formats.js'
import { words } from '../words/words.js'
import { Icon, type IconName } from './icons.js'
import { say } from './notices.js'

interface TimeProps {
  readonly at: string
  /** Whether to use a short form, for places with room for only a few letters. */
  readonly isShort?: boolean
  readonly children?: ComponentChildren
}

/** Local time; UTC in the tooltip. */
export function Time({ at, isShort = false, children }: TimeProps) {
  const here = exact(at)
  return (
    <time
      dateTime={at}
      data-exact={children ? undefined : here}
      title={`${here}\n${at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}`}
    >
      {children ?? <Away at={at} as={isShort ? age : away} />}
    </time>
  )
}

/** How far away an instant is. The text is updated whenever it changes. */
export function Away({ at, as = away }: { readonly at: string; readonly as?: (instant: string) => string }) {
  return <>{useMemo(() => computed(() => as(at)), [at, as])}</>
}

export type Tone = 'plain' | 'good' | 'busy' | 'warn' | 'bad'

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>
}

interface CopyProps {
  readonly text: string
  /** The shown part; default: all of it. */
  readonly shown?: string
  readonly name?: string
}

/** A technical value that one click copies. */
export function Copyable({ text, shown = text, name = words.value.copy }: CopyProps) {
  return (
    <span class="copyable">
      <code>{shown}</code>
      <CopyButton text={text} name={name} />
    </span>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly name: string
  readonly label?: string
}

export function CopyButton({ text, name, label }: CopyButtonProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    say(words.value.copied)
  }
  return (
    <button type="button" class={label ? 'button small' : 'quiet'} aria-label={name} title={name} onClick={copy}>
      <Icon name="copy" size={15} />
      {label}
    </button>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}

/** A line of a list of facts (`dl.facts`). */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface LabelledProps {
  readonly icon: IconName
  readonly children: ComponentChildren
}

export function Labelled({ icon, children }: LabelledProps) {
  return (
    <span class="labelled">
      <Icon name={icon} size={16} />
      {children}
    </span>
  )
}
