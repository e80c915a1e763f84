import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Brand, Icon } from '../system/icons.js'
import { Appearance } from '../system/theme.js'
import type { Account } from './sign-in-calls.js'

interface DoorProps {
  readonly title: string
  readonly lead: ComponentChildren
  readonly children: ComponentChildren
}

/** A page before the console, for signing in. */
export function Door({ title, lead, children }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · SAV`
  }, [title])
  return (
    <main class="door">
      <div class="card door-card">
        <Brand size={44} />
        <h1>{title}</h1>
        <p class="muted">{lead}</p>
        {children}
        <div class="preferences">
          <span />
          <Appearance />
        </div>
      </div>
    </main>
  )
}

export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="failure" role="alert">
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  )
}

interface PersonProps {
  readonly nom: string
  readonly compte: Account
}

/** A user and their account; the text beside the names is not affected by their direction. */
export function PersonOf({ nom, compte }: PersonProps) {
  return (
    <>
      <bdi>{nom}</bdi> (<bdi>{compte.raison_sociale ?? compte.id}</bdi>)
    </>
  )
}
