import { signal } from '@preact/signals'

const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const kept = 'sav-theme'

export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(kept)) ?? 'auto')

export function showTheme(): void {
  document.documentElement.dataset['theme'] = theme.value
}

export function chooseTheme(next: Theme): void {
  theme.value = next
  localStorage.setItem(kept, next)
  showTheme()
}
