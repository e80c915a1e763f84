import type { ComponentType } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { exec } from 'preact-iso/router'
import type { Permission } from '../api/client.js'
import { askAhead } from '../api/read.js'
import { filterOf } from '../cases/list/filter.js'
import { someCases } from '../cases/questions.js'
import { allPoseurs } from '../directory/questions.js'
import { shownDays, visitsOf } from '../planning/questions.js'
import { to } from '../session/address.js'
import { may } from '../session/session.js'
import { Icon, type IconName } from '../system/icons.js'
import { Empty, Loading, Page } from '../system/page.js'
import type { Words } from '../words/fr.js'
import { words } from '../words/words.js'

/** A screen, loaded at its first visit. */
interface Screen {
  readonly address: string
  readonly load: () => Promise<ComponentType>
  /** Requests the data that the screen shows first. */
  readonly ask?: (query: Readonly<Record<string, string>>) => void
  /**
   * The user needs one of these permissions to submit the screen's form. Absent: the screen has no form, or checks
   * permissions itself.
   */
  readonly sentBy?: readonly Permission[]
  /** Its entry in the navigation; absent: another screen links to it. */
  readonly entry?: Entry
}

export interface Entry {
  readonly group: 'work' | 'api' | 'settings'
  readonly icon: IconName
  readonly name: (t: Words) => string
  /** The permission that a user needs to see it; null: none is needed. */
  readonly permission: Permission | null
  /** The feature that it belongs to; absent: every service has it. */
  readonly feature?: string
}

/** All screens. If an address matches several, the first counts. The navigation lists them in this order. */
export const screens: readonly Screen[] = [
  {
    address: '/',
    load: () => import('../home/home.js').then(({ Home }) => Home),
    entry: { group: 'work', icon: 'home', name: (t) => t.navigation.home, permission: 'sav:read' },
  },
  {
    address: '/dossiers',
    load: () => import('../cases/list/list.js').then(({ CaseList }) => CaseList),
    ask: (query) => askAhead(someCases, filterOf(query)),
    entry: { group: 'work', icon: 'cases', name: (t) => t.cases.title, permission: 'sav:read' },
  },
  {
    address: '/dossiers/nouveau',
    load: () => import('../cases/new-case.js').then(({ NewCase }) => NewCase),
    sentBy: ['sav:write'],
  },
  { address: '/dossiers/:id', load: () => import('../cases/one-case.js').then(({ OneCase }) => OneCase) },
  {
    address: '/dossiers/:id/cloture',
    load: () => import('../cases/closing/close-case.js').then(({ CloseCase }) => CloseCase),
    sentBy: ['sav:write', 'sav:close'],
  },
  {
    address: '/planning',
    load: () => import('../planning/planning.js').then(({ Planning }) => Planning),
    ask: (query) => {
      const { du, au } = shownDays(query)
      askAhead(visitsOf, { du, au })
      askAhead(allPoseurs, 'all')
    },
    entry: { group: 'work', icon: 'calendar', name: (t) => t.planning.title, permission: 'planning:read' },
  },
  {
    address: '/planning/nouveau',
    load: () => import('../planning/new-visit.js').then(({ NewVisit }) => NewVisit),
    sentBy: ['planning:write'],
  },
  { address: '/planning/tournees', load: () => import('../planning/rounds.js').then(({ Rounds }) => Rounds) },
  {
    address: '/clients',
    load: () => import('../people/clients.js').then(({ Clients }) => Clients),
    entry: { group: 'work', icon: 'clients', name: (t) => t.client.title, permission: 'directory:read' },
  },
  {
    address: '/clients/nouveau',
    load: () => import('../people/new-client.js').then(({ NewClient }) => NewClient),
    sentBy: ['directory:write'],
  },
  { address: '/clients/:id', load: () => import('../people/one-client.js').then(({ OneClient }) => OneClient) },
  {
    address: '/poseurs',
    load: () => import('../people/poseurs.js').then(({ Poseurs }) => Poseurs),
    entry: { group: 'work', icon: 'poseurs', name: (t) => t.poseur.title, permission: 'directory:read' },
  },
  { address: '/poseurs/:id', load: () => import('../people/one-poseur.js').then(({ OnePoseur }) => OnePoseur) },
  {
    address: '/statistiques',
    load: () => import('../statistics/statistics.js').then(({ Statistics }) => Statistics),
    entry: {
      group: 'work',
      icon: 'chart',
      name: (t) => t.statistics.title,
      permission: 'planning:read',
      feature: 'insight',
    },
  },
  {
    address: '/reglages/api/webhooks',
    load: () => import('../webhooks/list.js').then(({ WebhookList }) => WebhookList),
    entry: { group: 'api', icon: 'webhooks', name: (t) => t.webhooks.title, permission: 'webhooks:read' },
  },
  {
    address: '/reglages/api/webhooks/nouveau',
    load: () => import('../webhooks/new-endpoint.js').then(({ NewEndpoint }) => NewEndpoint),
  },
  {
    address: '/reglages/api/webhooks/historique',
    load: () => import('../webhooks/history.js').then(({ DeliveryHistory }) => DeliveryHistory),
    entry: { group: 'api', icon: 'history', name: (t) => t.navigation.history, permission: 'webhooks:read' },
  },
  {
    address: '/reglages/api/webhooks/historique/:id',
    load: () => import('../webhooks/one-delivery.js').then(({ OneDelivery }) => OneDelivery),
  },
  {
    address: '/reglages/api/webhooks/:id',
    load: () => import('../webhooks/one-endpoint.js').then(({ OneEndpoint }) => OneEndpoint),
  },
  {
    address: '/reglages/sante',
    load: () => import('../account/health.js').then(({ Health }) => Health),
    entry: { group: 'api', icon: 'health', name: (t) => t.health.title, permission: 'webhooks:read' },
  },
  {
    address: '/reglages/api/cles',
    load: () => import('../access/keys.js').then(({ Keys }) => Keys),
    entry: { group: 'api', icon: 'keys', name: (t) => t.keys.title, permission: 'admin' },
  },
  { address: '/reglages/api/cles/nouvelle', load: () => import('../access/new-key.js').then(({ NewKey }) => NewKey) },
  {
    address: '/reglages/api/catalogue',
    load: () => import('../webhooks/catalogue.js').then(({ Catalogue }) => Catalogue),
    entry: { group: 'api', icon: 'catalogue', name: (t) => t.navigation.catalogue, permission: null },
  },
  {
    address: '/reglages/compte',
    load: () => import('../account/account.js').then(({ Account }) => Account),
    entry: { group: 'settings', icon: 'account', name: (t) => t.account.title, permission: 'admin' },
  },
  {
    address: '/reglages/utilisateurs',
    load: () => import('../users/users.js').then(({ Users }) => Users),
    entry: { group: 'settings', icon: 'users', name: (t) => t.users.title, permission: 'admin', feature: 'people' },
  },
  { address: '/reglages/moi', load: () => import('../sign-in/own.js').then(({ Own }) => Own) },
  {
    address: '/reglages/journal',
    load: () => import('../access/journal.js').then(({ Journal }) => Journal),
    entry: { group: 'settings', icon: 'journal', name: (t) => t.journal.title, permission: 'admin' },
  },
  { address: '/connexion', load: () => import('../home/home.js').then(({ Home }) => Home) },
]

const loaded = new Map<Screen, ComponentType>()

const screenAt = (path: string) => screens.find(({ address }) => exec(path, to(address)))

/** Requests the data of this address's screen, while the screen is loaded. */
export function askForScreen({ pathname, search }: Location): void {
  screenAt(pathname)?.ask?.(Object.fromEntries(new URLSearchParams(search)))
}

/** Loads a screen before it is visited, or before the user is known. */
export async function preload(path: string): Promise<void> {
  const screen = screenAt(path)
  if (screen !== undefined && !loaded.has(screen)) loaded.set(screen, await screen.load())
}

/** A screen that could not be loaded. */
interface LoadFailure {
  readonly url: string
  /** The address of the previous screen, which stays; null: there was none. */
  readonly shown: string | null
}

/**
 * The screen of the address. The previous screen stays while it is loaded. If loading fails, the previous screen stays
 * under its own address.
 */
export function Screens() {
  const asked = useLocation()
  const shown = useRef<{ readonly location: typeof asked; readonly screen: Screen | undefined } | null>(null)
  const [missed, setMissed] = useState<LoadFailure | null>(null)
  const [, draw] = useReducer((round: number, _: undefined) => round + 1, 0)
  const screen = screenAt(asked.path)
  // Not in an effect, which would wait until the screen is rendered.
  useMemo(() => screen?.ask?.(asked.query), [screen])
  const isThere = screen === undefined || loaded.has(screen)
  if (isThere) shown.current = { location: asked, screen }

  useEffect(() => {
    if (screen === undefined || isThere) {
      setMissed((before) => (before?.shown === asked.url ? before : null))
      return
    }
    let isAsked = true
    const load = async () => {
      try {
        loaded.set(screen, await screen.load())
        if (isAsked) draw(undefined)
      } catch {
        const before = shown.current?.location.url ?? null
        if (before !== null && isAsked && (await isOpened(asked.url))) return
        if (!isAsked) return
        setMissed({ url: asked.url, shown: before })
        if (before !== null) asked.route(before, true)
      }
    }
    void load()
    return () => {
      isAsked = false
    }
  }, [asked.url, isThere])

  const seen = shown.current?.screen
  const component = seen?.sentBy?.every((each) => !may(each)) ? NotAllowed : seen && loaded.get(seen)
  return (
    <>
      {missed && <NotLoaded url={missed.url} />}
      {shown.current && (
        <LocationProvider.ctx.Provider value={shown.current.location}>
          <Router>
            <Route path={to(seen?.address ?? '')} component={component ?? NotFound} />
            <Route default component={NotFound} />
          </Router>
        </LocationProvider.ctx.Provider>
      )}
      {!shown.current && !missed && <Loading />}
    </>
  )
}

/**
 * Loads the whole page again if the service answers: after an upgrade, the files of its screens have other names.
 * @returns false if it does not answer
 */
async function isOpened(url: string): Promise<boolean> {
  const isThere = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isThere) location.assign(url)
  return isThere
}

function NotLoaded({ url }: Pick<LoadFailure, 'url'>) {
  const t = words.value
  return (
    <div class="failure not-loaded" role="alert">
      <Icon name="warning" />
      <p>{t.navigation.notLoaded}</p>
      <button type="button" class="button small" onClick={() => isOpened(url)}>
        {t.retry}
      </button>
    </div>
  )
}

/** Shown instead of a form that would be refused. */
function NotAllowed() {
  const { failures, navigation } = words.value
  return (
    <Page title={failures.statuses[403] ?? ''}>
      <a class="button" href={to('/')}>
        {navigation.home}
      </a>
    </Page>
  )
}

function NotFound() {
  const t = words.value.navigation
  return (
    <Page title={t.notFound}>
      <Empty title={t.notFoundText}>
        <a class="button" href={to('/')}>
          {t.home}
        </a>
      </Empty>
    </Page>
  )
}
