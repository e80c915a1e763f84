import { accountRoutes } from './access/account.js'
import { auditRoutes } from './access/audit.js'
import { keyRoutes } from './access/keys.js'
import { sessionRoutes } from './access/session.js'
import { userRoutes } from './access/users.js'
import { caseRoutes } from './cases/cases.js'
import { evidenceRoutes } from './cases/evidence.js'
import { contractRoutes } from './contract.js'
import { clientRoutes } from './directory/clients.js'
import { poseurRoutes } from './directory/poseurs.js'
import { fieldRoutes } from './field/field.js'
import { fieldFactRoutes } from './field/field-facts.js'
import { fileRoutes } from './files/files.js'
import { healthRoutes } from './health.js'
import { followUpRoutes } from './office/follow-ups.js'
import { searchRoutes } from './office/search.js'
import { statisticsRoutes } from './office/statistics.js'
import { calendarRoutes } from './planning/calendars.js'
import { planningRoutes } from './planning/planning.js'
import { roundRoutes } from './planning/rounds.js'
import { rdvPageRoutes } from './public-pages/rdv-pages.js'
import { verifierRoutes } from './public-pages/verifier.js'
import { deliveryRoutes } from './webhooks/deliveries.js'
import { eventRoutes } from './webhooks/events.js'
import { webhookRoutes } from './webhooks/webhooks.js'

/** Every operation of the API, in the order of the contract. */
export const routes = [
  ...caseRoutes,
  ...evidenceRoutes,
  ...fileRoutes,
  ...planningRoutes,
  ...roundRoutes,
  ...fieldRoutes,
  ...fieldFactRoutes,
  ...calendarRoutes,
  ...followUpRoutes,
  ...clientRoutes,
  ...poseurRoutes,
  ...searchRoutes,
  ...statisticsRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...userRoutes,
  ...sessionRoutes,
  ...auditRoutes,
  ...rdvPageRoutes,
  ...verifierRoutes,
  ...healthRoutes,
  ...contractRoutes,
]
