export type { Suite } from './contract/suite.js'
export { addRdv, newRdv } from './samples/rdv-samples.js'
export {
  addCase,
  addOwner,
  changeCase,
  client,
  closing,
  digest,
  historyEntry as lineOfHistory,
  instant as instantAfter,
  twoOwners,
} from './samples/samples.js'
export { type StorageContract, storageContract } from './storage-contract.js'
