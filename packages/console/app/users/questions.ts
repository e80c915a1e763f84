import { sav } from '../api/client.js'
import { question } from '../api/read.js'

export const allUsers = question(async (_: 'all', signal) => (await sav.get('/api/v1/utilisateurs', { signal })).data)
