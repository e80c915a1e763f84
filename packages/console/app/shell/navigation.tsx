import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { to } from '../session/address.js'
import { has, may, session } from '../session/session.js'
import { signOut } from '../sign-in/sign-out.js'
import { Brand, Icon } from '../system/icons.js'
import { Appearance } from '../system/theme.js'
import { choose, language, words } from '../words/words.js'
import { type Entry, screens } from './screens.js'
import { openFinder } from './shortcuts.js'

const offers = ({ permission, feature }: Entry) =>
  (feature === undefined || has(feature)) && (permission === null || may(permission))

/** The groups that the role allows. */
function groups() {
  const t = words.value
  const named = [
    ['work', null],
    ['api', t.navigation.api],
    ['settings', t.navigation.settings],
  ] as const
  return named.map(([group, name]) => ({
    name,
    entries: screens.flatMap(({ address, entry }) =>
      entry?.group === group && offers(entry) ? [{ screen: address, icon: entry.icon, name: entry.name(t) }] : [],
    ),
  }))
}

/** Links to all screens: beside them if there is room, otherwise behind a button. */
export function Navigation() {
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const t = words.value.navigation
  const current = groups()
    .flatMap(({ entries }) => entries)
    .filter(
      ({ screen }) =>
        path.replace(/\/$/, '') === to(screen).replace(/\/$/, '') ||
        (screen !== '/' && path.startsWith(`${to(screen)}/`)),
    )
    .toSorted((a, b) => b.screen.length - a.screen.length)[0]
  return (
    <header class={isOpen ? 'side side-open' : 'side'}>
      <div class="side-top">
        <a class="brand" href={to('/')}>
          <Brand />
          <span>{session.value?.compte.raison_sociale ?? 'SAV'}</span>
        </a>
        {may('sav:read') && has('insight') && (
          <button
            type="button"
            class="quiet side-find"
            aria-label={words.value.finder.title}
            title={`${words.value.finder.title} (Ctrl K)`}
            aria-keyshortcuts="Control+K Meta+K"
            onClick={openFinder}
          >
            <Icon name="search" size={20} />
          </button>
        )}
        <button
          type="button"
          class="quiet side-toggle"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label={t.menu}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} size={22} />
        </button>
      </div>
      <div class="side-body" id="navigation">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a chosen link closes the menu, by whichever way */}
        <nav
          aria-label={t.name}
          onClick={({ target }) => target instanceof Element && target.closest('a') && setOpen(false)}
        >
          {groups().map(({ name, entries }) => {
            if (entries.length === 0) return null
            return (
              <div key={name} class="nav-group">
                {name && <p class="nav-name">{name}</p>}
                <ul>
                  {entries.map(({ screen, icon, name: text }) => (
                    <li key={screen}>
                      <a href={to(screen)} aria-current={current?.screen === screen ? 'page' : undefined}>
                        <Icon name={icon} />
                        {text}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )
          })}
        </nav>
        <Person />
      </div>
    </header>
  )
}

function Person() {
  const t = words.value.navigation
  const who = session.value?.utilisateur
  return (
    <div class="person">
      <div class="preferences">
        <button
          type="button"
          class="quiet small"
          lang={language.value === 'fr' ? 'en' : 'fr'}
          onClick={() => choose(language.value === 'fr' ? 'en' : 'fr')}
        >
          {language.value === 'fr' ? 'English' : 'Français'}
        </button>
        <Appearance />
      </div>
      {who && (
        <div class="person-name">
          <div>
            <a class="plain-link" href={to('/reglages/moi')} title={words.value.own.title}>
              <strong>{who.nom}</strong>
            </a>
            <span class="muted small">{who.email}</span>
          </div>
          {!session.value?.hote && (
            <button type="button" class="quiet" aria-label={t.signOut} title={t.signOut} onClick={signOut}>
              <Icon name="out" />
            </button>
          )}
        </div>
      )}
    </div>
  )
}
