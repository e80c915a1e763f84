import { sav } from '../api/client.js'
import { question } from '../api/read.js'

export const ownAccount = question(async (_: 'own', signal) => (await sav.get('/api/v1/compte', { signal })).data)
