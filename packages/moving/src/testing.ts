export { importContract } from './contract.js'
