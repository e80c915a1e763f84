import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icons.js'

interface MenuProps {
  readonly name: string
  readonly icon: IconName
  readonly children: ComponentChildren
}

/** Rarely used actions, behind a button. A click elsewhere and Escape close it. */
export function Menu({ name, icon, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  // The content is rendered only after the first opening.
  const [wasOpened, setOpened] = useState(false)
  useEffect(() => {
    const close = (event: Event) => {
      const menu = ref.current
      if (!menu?.open || (event.target instanceof Node && menu.contains(event.target))) return
      menu.open = false
    }
    document.addEventListener('click', close)
    return () => document.removeEventListener('click', close)
  }, [])
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !ref.current?.open) return
    ref.current.open = false
    ref.current.querySelector('summary')?.focus()
  }
  return (
    <details class="menu" ref={ref} onKeyDown={onKeyDown} onToggle={() => setOpened(true)}>
      <summary class="button small">
        <Icon name={icon} size={16} />
        {name}
      </summary>
      {wasOpened && <div class="menu-body">{children}</div>}
    </details>
  )
}
