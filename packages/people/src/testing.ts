export { peopleContract } from './contract/people.js'
export { trustedAnswer, trustingPasskeys } from './testing/trusting-passkeys.js'
