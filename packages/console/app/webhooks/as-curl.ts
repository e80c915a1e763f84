interface SentEvent {
  readonly url: string
  readonly event: string
  readonly event_id: string
  readonly body: string
}

/**
 * A script for a POSIX shell with curl and OpenSSL that sends the same bytes to the same URL. When it runs, it signs
 * both for `X-Webhook-Signature` and for `webhook-signature` (Standard Webhooks). It takes the secret from
 * SAV_WEBHOOK_SECRET, since the service never reveals it. Custom headers are left out.
 */
export function asCurl({ url, event, event_id, body }: SentEvent): string {
  return `# SAV_WEBHOOK_SECRET=whsec_…
body=${quoted(body)}
id=${quoted(event_id)}
time=$(date +%s)
key=$(printf %s "\${SAV_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
standard=$(printf %s "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
simple=$(printf %s "$body" | openssl dgst -sha256 -hmac "$SAV_WEBHOOK_SECRET" | sed 's/.* //')
curl -i ${quoted(url)} \\
  -H 'Content-Type: application/json' \\
  -H ${quoted(`X-Webhook-Event: ${event}`)} \\
  -H "X-Webhook-Timestamp: $time" \\
  -H "X-Webhook-Signature: sha256=$simple" \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $time" \\
  -H "webhook-signature: v1,$standard" \\
  --data-binary "$body"
`
}

/** One word of a POSIX shell, whatever it contains. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
