export { statisticsContract } from './statistics/contract.js'
