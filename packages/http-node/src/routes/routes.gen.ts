// Written by scripts/lists.mjs, from the files beside it and below.
import { accountRoutes } from './access/account.js'
import { auditRoutes } from './access/audit.js'
import { keyRoutes } from './access/keys.js'
import { sessionRoutes } from './access/session.js'
import { caseRoutes } from './cases/cases.js'
import { evidenceRoutes } from './cases/evidence.js'
import { contractRoutes } from './contract.js'
import { clientRoutes } from './directory/clients.js'
import { poseurRoutes } from './directory/poseurs.js'
import { fileRoutes } from './files/files.js'
import { healthRoutes } from './health.js'
import { verifierRoutes } from './public-pages/verifier.js'
import { deliveryRoutes } from './webhooks/deliveries.js'
import { eventRoutes } from './webhooks/events.js'
import { webhookRoutes } from './webhooks/webhooks.js'

/** Every operation of the API; all.ts puts them in order. */
export const declared = {
  accountRoutes,
  auditRoutes,
  keyRoutes,
  sessionRoutes,
  caseRoutes,
  evidenceRoutes,
  contractRoutes,
  clientRoutes,
  poseurRoutes,
  fileRoutes,
  healthRoutes,
  verifierRoutes,
  deliveryRoutes,
  eventRoutes,
  webhookRoutes,
}
