export { planningContract } from './contract/contract.js'
export { addRdv, newRdv } from './contract/rdv-samples.js'
