import * as vitest from 'vitest'
import { memoryStorage } from './memory-storage.js'
import { storageContract } from './storage-contract.js'

storageContract({ name: 'memory', open: async () => memoryStorage(), vitest })
