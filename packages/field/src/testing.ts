export { fieldContract } from './contract.js'
