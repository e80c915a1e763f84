import { receiveWebhook } from '@sav/webhook-verify/web'

const secret = Deno.env.get('SAV_WEBHOOK_SECRET') ?? ''
const port = Number(Deno.env.get('PORT') ?? 4000)
Deno.serve({ hostname: '127.0.0.1', port, onListen: () => console.log('waiting') }, (request) =>
  receiveWebhook(request, secret, ({ event, data }) => console.log(event, data.event_id)),
)

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(options: object, handler: (request: Request) => Promise<Response>): unknown
}
