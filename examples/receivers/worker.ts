import { receiveWebhook } from '@sav/webhook-verify/web'

export default {
  fetch: (request: Request, env: { WEBHOOK_SECRET: string }) =>
    receiveWebhook(request, env.WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id)),
}
