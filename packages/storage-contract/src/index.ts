export type { Suite } from './contract/suite.js'
export { type List, walked, walksOf } from './contract/walking.js'
export {
  addCase,
  addOwner,
  changeCase,
  client,
  closing,
  digest,
  ended,
  historyEntry as lineOfHistory,
  insertCase,
  instant as instantAfter,
  type Owner,
  poseur,
  present,
  twoOwners,
} from './samples/samples.js'
export { type StorageContract, storageContract } from './storage-contract.js'
