// app/webhooks/sav/route.ts
import { receiveWebhook } from '@sav/webhook-verify/web'

export const POST = (request: Request) =>
  receiveWebhook(request, process.env['SAV_WEBHOOK_SECRET'] ?? '', ({ event, data }) =>
    console.log(event, data.event_id),
  )
