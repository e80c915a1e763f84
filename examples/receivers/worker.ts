import { receiveWebhook } from '@sav/webhook-verify/web'

export default {
  fetch: (request: Request, env: { SAV_WEBHOOK_SECRET: string }) =>
    receiveWebhook(request, env.SAV_WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id)),
}
