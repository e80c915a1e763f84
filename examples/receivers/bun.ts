import { receiveWebhook } from '@sav/webhook-verify/web'

const { SAV_WEBHOOK_SECRET = '', PORT = '4000' } = process.env
Bun.serve({
  hostname: '127.0.0.1',
  port: Number(PORT),
  fetch: (request) =>
    receiveWebhook(request, SAV_WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id)),
})
console.log('waiting')

declare const Bun: { serve(options: { hostname: string; port: number; fetch(request: Request): unknown }): unknown }
