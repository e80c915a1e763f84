/** The lists of names that the wire and the store know, for who shows or checks them and needs nothing else: no schema is loaded. */
export { eventKinds } from '@sav/webhook-verify/events'
export { actorTypes } from './access/actor.js'
export { permissions } from './access/permissions.js'
export { zonesFeries } from './directory/zones-feries.js'
export { filesChecked } from './evidence/file-check.js'
export { letterChannels, rdvLetterKinds } from './letters/letter.js'
export { reportStatuts } from './reports/report.js'
export { idPrefixes } from './values/ids.js'
export {
  deliveryStates,
  historyKinds,
  priorites,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  roles,
  signInMethods,
  statuts,
  typesProbleme,
} from './values/vocabulary.js'
