import { createServer } from 'node:http'
import { createWebhookListener } from '@sav/webhook-verify/node'

const { SAV_WEBHOOK_SECRET = '', PORT = '4000' } = process.env
const listener = createWebhookListener(SAV_WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id))

createServer(listener).listen(Number(PORT), '127.0.0.1', () => console.log('waiting'))
