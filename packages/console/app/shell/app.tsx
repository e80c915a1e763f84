import { ErrorBoundary, LocationProvider, lazy, Route, Router } from 'preact-iso'
import { NotifyingQuestion } from '../planning/notifying.js'
import { Notices } from '../system/notices.js'
import { Empty, Loading, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { AccountChoice } from './account-choice.js'
import { base, to } from './address.js'
import { Navigation } from './navigation.js'
import { Replacing } from './replacing.js'
import { type Session, session } from './session.js'
import { SignIn } from './sign-in.js'
import { invitation, isChoosing } from './sign-in-calls.js'

const Home = lazy(() => import('../home/home.js').then(({ Home }) => Home))
const CaseList = lazy(() => import('../cases/list.js').then(({ CaseList }) => CaseList))
const OneCase = lazy(() => import('../cases/one-case.js').then(({ OneCase }) => OneCase))
const NewCase = lazy(() => import('../cases/new-case.js').then(({ NewCase }) => NewCase))
const CloseCase = lazy(() => import('../cases/close-case.js').then(({ CloseCase }) => CloseCase))
const WebhookList = lazy(() => import('../webhooks/list.js').then(({ WebhookList }) => WebhookList))
const NewEndpoint = lazy(() => import('../webhooks/new-endpoint.js').then(({ NewEndpoint }) => NewEndpoint))
const OneEndpoint = lazy(() => import('../webhooks/one-endpoint.js').then(({ OneEndpoint }) => OneEndpoint))
const DeliveryHistory = lazy(() => import('../webhooks/history.js').then(({ DeliveryHistory }) => DeliveryHistory))
const OneDelivery = lazy(() => import('../webhooks/one-delivery.js').then(({ OneDelivery }) => OneDelivery))
const Clients = lazy(() => import('../people/clients.js').then(({ Clients }) => Clients))
const NewClient = lazy(() => import('../people/new-client.js').then(({ NewClient }) => NewClient))
const OneClient = lazy(() => import('../people/one-client.js').then(({ OneClient }) => OneClient))
const Poseurs = lazy(() => import('../people/poseurs.js').then(({ Poseurs }) => Poseurs))
const OnePoseur = lazy(() => import('../people/one-poseur.js').then(({ OnePoseur }) => OnePoseur))
const Planning = lazy(() => import('../planning/planning.js').then(({ Planning }) => Planning))
const NewVisit = lazy(() => import('../planning/new-visit.js').then(({ NewVisit }) => NewVisit))
const Rounds = lazy(() => import('../planning/rounds.js').then(({ Rounds }) => Rounds))
const Account = lazy(() => import('../account/account.js').then(({ Account }) => Account))
const Health = lazy(() => import('../account/health.js').then(({ Health }) => Health))
const Keys = lazy(() => import('../access/keys.js').then(({ Keys }) => Keys))
const NewKey = lazy(() => import('../access/new-key.js').then(({ NewKey }) => NewKey))
const Journal = lazy(() => import('../access/journal.js').then(({ Journal }) => Journal))
const Users = lazy(() => import('../users/users.js').then(({ Users }) => Users))
const Catalogue = lazy(() => import('../webhooks/catalogue.js').then(({ Catalogue }) => Catalogue))

export function App() {
  if (session.value === undefined) return <Loading />
  return (
    <>
      <Shown now={session.value} />
      <Notices />
      <NotifyingQuestion />
    </>
  )
}

function Shown({ now }: { readonly now: Session | null }) {
  if (isChoosing.value) return <AccountChoice />
  if (now === null) return <SignIn />
  return invitation.value === null ? <Screens /> : <Replacing token={invitation.value} now={now} />
}

function Screens() {
  const t = words.value.navigation
  return (
    <LocationProvider scope={base || '/'}>
      <div class="frame">
        <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
          {t.skip}
        </button>
        <Navigation />
        <main id="content" tabIndex={-1}>
          <ErrorBoundary>
            <Router>
              <Route path={to('/')} component={Home} />
              <Route path={to('/dossiers')} component={CaseList} />
              <Route path={to('/dossiers/nouveau')} component={NewCase} />
              <Route path={to('/dossiers/:id')} component={OneCase} />
              <Route path={to('/dossiers/:id/cloture')} component={CloseCase} />
              <Route path={to('/planning')} component={Planning} />
              <Route path={to('/planning/nouveau')} component={NewVisit} />
              <Route path={to('/planning/tournees')} component={Rounds} />
              <Route path={to('/clients')} component={Clients} />
              <Route path={to('/clients/nouveau')} component={NewClient} />
              <Route path={to('/clients/:id')} component={OneClient} />
              <Route path={to('/poseurs')} component={Poseurs} />
              <Route path={to('/poseurs/:id')} component={OnePoseur} />
              <Route path={to('/reglages/api/cles')} component={Keys} />
              <Route path={to('/reglages/api/cles/nouvelle')} component={NewKey} />
              <Route path={to('/reglages/journal')} component={Journal} />
              <Route path={to('/reglages/api/webhooks')} component={WebhookList} />
              <Route path={to('/reglages/api/webhooks/nouveau')} component={NewEndpoint} />
              <Route path={to('/reglages/api/webhooks/historique')} component={DeliveryHistory} />
              <Route path={to('/reglages/api/webhooks/historique/:id')} component={OneDelivery} />
              <Route path={to('/reglages/api/webhooks/:id')} component={OneEndpoint} />
              <Route path={to('/reglages/api/catalogue')} component={Catalogue} />
              <Route path={to('/reglages/compte')} component={Account} />
              <Route path={to('/reglages/sante')} component={Health} />
              <Route path={to('/reglages/utilisateurs')} component={Users} />
              <Route path={to('/connexion')} component={Home} />
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        </main>
      </div>
    </LocationProvider>
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
