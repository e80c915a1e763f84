/** The lists of names that the wire and the store know, for who shows or checks them and needs nothing else: no schema is loaded. */
export { eventKinds } from '@sav/webhook-verify/events'
export { permissions } from './access/permissions.js'
export { zonesFeries } from './directory/zones-feries.js'
export { filesChecked } from './evidence/file-check.js'
export { letterChannels } from './letters/letter.js'
export {
  deliveryStates,
  priorites,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  roles,
  statuts,
  typesProbleme,
} from './values/vocabulary.js'
