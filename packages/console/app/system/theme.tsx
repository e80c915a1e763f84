import { signal } from '@preact/signals'
import { words } from '../words/words.js'

const themes = ['auto', 'light', 'dark'] as const

const kept = 'sav-theme'

const theme = signal(themes.find((name) => name === localStorage.getItem(kept)) ?? 'auto')

export function showTheme(): void {
  document.documentElement.dataset['theme'] = theme.value
}

/** The choice between light and dark. */
export function Appearance() {
  const t = words.value.navigation
  return (
    <select
      class="small"
      aria-label={t.theme}
      value={theme.value}
      onChange={({ currentTarget }) => {
        theme.value = themes.find((name) => name === currentTarget.value) ?? 'auto'
        localStorage.setItem(kept, theme.value)
        showTheme()
      }}
    >
      {themes.map((name) => (
        <option key={name} value={name} selected={name === theme.value}>
          {t.themes[name]}
        </option>
      ))}
    </select>
  )
}
