import { createServer } from 'node:http'
import { createWebhookListener } from '@sav/webhook-verify/node'

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env

const listener = createWebhookListener(WEBHOOK_SECRET, async (event) => {
  if (event.event === 'sav.closed') console.log(`${event.data.reference} is closed: ${event.data.hash_sha256}`)
  else console.log(`${event.event} ${event.data.event_id}`)
})

createServer(listener).listen(Number(PORT), '127.0.0.1', () => console.log(`waiting on http://127.0.0.1:${PORT}`))
