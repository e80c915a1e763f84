import { afterAll, afterEach } from 'vitest'
import { closeMemoryStorages } from '../../../test/memory-storage.js'
import { expectContractKept } from './contract-check.js'
import { closeListeners } from './listening.js'
import { closeReceivers } from './receivers.js'

// Runs before each test file, even if test files share their imported modules.

afterEach(async () => {
  await closeListeners()
  await closeReceivers()
  expectContractKept()
})

afterAll(closeMemoryStorages)
