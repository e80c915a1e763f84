import { accountRoutes } from './account.js'
import { auditRoutes } from './audit.js'
import { calendarRoutes } from './calendars.js'
import { caseRoutes } from './cases.js'
import { clientRoutes } from './clients.js'
import { contractRoutes } from './contract.js'
import { deliveryRoutes } from './deliveries.js'
import { eventRoutes } from './events.js'
import { evidenceRoutes } from './evidence.js'
import { fieldRoutes } from './field.js'
import { fieldFactRoutes } from './field-facts.js'
import { fileRoutes } from './files.js'
import { followUpRoutes } from './follow-ups.js'
import { healthRoutes } from './health.js'
import { keyRoutes } from './keys.js'
import { planningRoutes } from './planning.js'
import { poseurRoutes } from './poseurs.js'
import { rdvPageRoutes } from './rdv-pages.js'
import { roundRoutes } from './rounds.js'
import { searchRoutes } from './search.js'
import { sessionRoutes } from './session.js'
import { statisticsRoutes } from './statistics.js'
import { userRoutes } from './users.js'
import { verifierRoutes } from './verifier.js'
import { webhookRoutes } from './webhooks.js'

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
