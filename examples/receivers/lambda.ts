import { receiveWebhook } from '@sav/webhook-verify/web'

/** The fields used from the event of a function URL or an HTTP API (format 2.0). */
interface Call {
  readonly headers: Record<string, string>
  readonly body?: string
  readonly isBase64Encoded: boolean
}

export async function handler({ headers, body = '', isBase64Encoded }: Call) {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const request = new Request('https://lambda.invalid/', { method: 'POST', headers, body: bytes })
  const secret = process.env['SAV_WEBHOOK_SECRET'] ?? ''
  const answer = await receiveWebhook(request, secret, ({ event, data }) => console.log(event, data.event_id))
  return { statusCode: answer.status, body: await answer.text() }
}
