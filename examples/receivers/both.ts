import { receiveWebhook } from '@sav/webhook-verify/web'
import { Webhook } from 'svix'

const { SAV_WEBHOOK_SECRET = '' } = process.env
const before = new Webhook(SAV_WEBHOOK_SECRET)

export async function POST(request: Request): Promise<Response> {
  if (!request.headers.has('svix-id'))
    return receiveWebhook(request, SAV_WEBHOOK_SECRET, ({ event, data }) => console.log(event, data.event_id))
  const body = await request.text()
  try {
    before.verify(body, Object.fromEntries(request.headers))
  } catch {
    return new Response(null, { status: 401 })
  }
  console.log('from before', body)
  return new Response(null, { status: 204 })
}
