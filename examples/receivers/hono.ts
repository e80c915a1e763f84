import { receiveWebhook } from '@sav/webhook-verify/web'
import { Hono } from 'hono'

const app = new Hono()
app.all('/webhooks/sav', (c) =>
  receiveWebhook(c.req.raw, process.env['SAV_WEBHOOK_SECRET'] ?? '', ({ event, data }) =>
    console.log(event, data.event_id),
  ),
)
export default app
