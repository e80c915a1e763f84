import { sav } from '../api/client.js'
import { question } from '../api/read.js'

export const allKeys = question(async (_: 'all', signal) => (await sav.get('/api/v1/cles', { signal })).data)
