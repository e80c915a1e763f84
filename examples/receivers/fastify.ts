import type { WebhookEvent } from '@sav/webhook-verify'
import { webhookPlugin } from '@sav/webhook-verify/fastify'
import fastify from 'fastify'

const { SAV_WEBHOOK_SECRET: secret = '', PORT = '4000' } = process.env
const app = fastify()
const handler = ({ event, data }: WebhookEvent) => console.log(event, data.event_id)
app.register(webhookPlugin, { path: '/webhooks/sav', secret, handler })
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
console.log('waiting')
