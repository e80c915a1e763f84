import { fieldContract } from '../../packages/field/src/testing.js'
import { statisticsContract } from '../../packages/insight/src/testing.js'
import { importContract } from '../../packages/moving/src/testing.js'
import { peopleContract } from '../../packages/people/src/testing.js'
import { planningContract } from '../../packages/planning/src/testing.js'
import { storageContract as ofTheCore, type StorageContract } from '../../packages/storage-contract/src/index.js'

/** The storage contract, for a store with every feature. */
export const storageContract = (tested: StorageContract): void =>
  ofTheCore({
    features: [peopleContract, planningContract, fieldContract, statisticsContract, importContract],
    ...tested,
  })
