import { signal } from '@preact/signals'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

interface Notice {
  readonly id: number
  readonly text: string
  readonly isBad: boolean
  readonly undo: (() => unknown) | undefined
}

const notices = signal<readonly Notice[]>([])
let last = 0

const drop = (id: number) => {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

/**
 * Shows in a corner what was done, for a few seconds.
 * @param undo takes it back, if that is possible
 */
export function say(text: string, undo?: () => unknown): void {
  show({ text, isBad: false, undo }, undo ? 9000 : 5000)
}

/** Shows what went wrong; it stays until it is dismissed. */
export const sayFailed = (text: string): void => show({ text, isBad: true, undo: undefined }, null)

function show(notice: Omit<Notice, 'id'>, forMs: number | null): void {
  last += 1
  const id = last
  notices.value = [...notices.value.filter(({ text }) => text !== notice.text).slice(-2), { ...notice, id }]
  if (forMs !== null) setTimeout(drop, forMs, id)
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, isBad, undo }) => (
        <div key={id} class={isBad ? 'notice notice-bad' : 'notice'}>
          <Icon name={isBad ? 'warning' : 'check'} />
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              class="link"
              onClick={() => {
                drop(id)
                undo()
              }}
            >
              {words.value.undo}
            </button>
          )}
          <button type="button" class="quiet" aria-label={words.value.close} onClick={() => drop(id)}>
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  )
}
