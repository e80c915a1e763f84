export type { Suite } from './contract/suite.js'
export { addRdv, newRdv } from './samples/rdv-samples.js'
export { addCase, changeCase, closing, historyEntry, instant as instantAfter, twoOwners } from './samples/samples.js'
export { type StorageContract, storageContract } from './storage-contract.js'
