import { signal } from '@preact/signals'

/** Where this app is mounted, without a trailing slash: `/app/terrain`. */
const base = new URL(document.baseURI).pathname.replace(/\/$/, '')

/** The address of a screen: `/visite/7`; without a screen: the day. */
export const to = (screen = ''): string => base + screen

/** The office's pages. */
export const officeAddress = base.replace(/\/terrain$/, '/')

/** The address of a sign-in call, which the pages of the office share. */
export const signInAddress = (call: string): string => `${officeAddress}session/${call}`

const here = () => location.pathname.slice(base.length).replace(/\/$/, '')

/** The current screen, as in links: `/visite/7`. */
export const screenHere = signal(here())

export function go(screen: string, how: 'push' | 'replace' = 'push'): void {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', to(screen))
  screenHere.value = here()
}

/** Makes links between screens change the screen without a page load. */
export function keepAddress(): void {
  addEventListener('popstate', () => {
    screenHere.value = here()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isOther = link === null || link.target !== '' || link.origin !== location.origin
    if (isOther || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    if (link.pathname !== base && !link.pathname.startsWith(to('/'))) return
    event.preventDefault()
    go(link.pathname.slice(base.length))
  })
}
