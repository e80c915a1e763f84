import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { to } from '../session/address.js'
import { may, session } from '../session/session.js'
import { signOut } from '../sign-in/sign-out.js'
import { Brand, Icon, type IconName } from '../system/icons.js'
import { Appearance } from '../system/theme.js'
import { choose, language, words } from '../words/words.js'

interface Entry {
  readonly screen: string
  readonly icon: IconName
  readonly name: string
  /** Who sees it. */
  readonly permission: string | null
}

interface Group {
  readonly name: string | null
  readonly entries: readonly Entry[]
}

function groups(): readonly Group[] {
  const t = words.value.navigation
  return [
    {
      name: null,
      entries: [
        { screen: '/', icon: 'home', name: t.home, permission: 'sav:read' },
        { screen: '/dossiers', icon: 'cases', name: t.cases, permission: 'sav:read' },
        { screen: '/planning', icon: 'calendar', name: t.planning, permission: 'planning:read' },
        { screen: '/clients', icon: 'clients', name: t.clients, permission: 'directory:read' },
        { screen: '/poseurs', icon: 'poseurs', name: t.poseurs, permission: 'directory:read' },
      ],
    },
    {
      name: t.api,
      entries: [
        { screen: '/reglages/api/webhooks', icon: 'webhooks', name: t.webhooks, permission: 'webhooks:read' },
        { screen: '/reglages/api/webhooks/historique', icon: 'history', name: t.history, permission: 'webhooks:read' },
        { screen: '/reglages/sante', icon: 'health', name: t.health, permission: 'webhooks:read' },
        { screen: '/reglages/api/cles', icon: 'keys', name: t.keys, permission: 'admin' },
        { screen: '/reglages/api/catalogue', icon: 'catalogue', name: t.catalogue, permission: null },
      ],
    },
    {
      name: t.settings,
      entries: [
        { screen: '/reglages/compte', icon: 'account', name: t.account, permission: 'admin' },
        { screen: '/reglages/utilisateurs', icon: 'users', name: t.users, permission: 'admin' },
        { screen: '/reglages/journal', icon: 'journal', name: t.journal, permission: 'admin' },
      ],
    },
  ]
}

const roleAllows = ({ permission }: Entry) => permission === null || may(permission)

/** The way to each screen: beside them where there is room, behind a button where there is not. */
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
            const allowed = entries.filter(roleAllows)
            if (allowed.length === 0) return null
            return (
              <div key={name} class="nav-group">
                {name && <p class="nav-name">{name}</p>}
                <ul>
                  {allowed.map(({ screen, icon, name: text }) => (
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
            <strong>{who.nom}</strong>
            <span class="muted small">{who.email}</span>
          </div>
          <button type="button" class="quiet" aria-label={t.signOut} title={t.signOut} onClick={signOut}>
            <Icon name="out" />
          </button>
        </div>
      )}
    </div>
  )
}
