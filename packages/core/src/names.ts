/** Lists of names in the API and the store, for programs that show or check them without loading a schema. */
export { permissionsOf, terrainPermission } from './access/permissions.js'
export { coreEventKinds, kindsWith } from './delivery/event-kinds.js'
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
  zonesFeries,
} from './values/vocabulary.js'
