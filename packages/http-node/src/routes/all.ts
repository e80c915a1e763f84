import { declared } from './routes.gen.js'

/** The order in the contract: daily work first, unlisted ones last. */
const order: readonly (keyof typeof declared)[] = [
  'caseRoutes',
  'evidenceRoutes',
  'fileRoutes',
  'clientRoutes',
  'poseurRoutes',
  'webhookRoutes',
  'deliveryRoutes',
  'eventRoutes',
  'keyRoutes',
  'accountRoutes',
  'sessionRoutes',
  'auditRoutes',
  'verifierRoutes',
  'healthRoutes',
  'contractRoutes',
]

const ordered: Partial<typeof declared> = Object.fromEntries(order.map((name) => [name, declared[name]]))

/** Every operation of the core, in the order of the contract. */
export const routes = Object.values({ ...ordered, ...declared }).flat()
