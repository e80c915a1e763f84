import { verify } from '@sav/webhook-verify'

export async function take(rawBody: Uint8Array, headers: Headers, secret: string): Promise<void> {
  const event = await verify(rawBody, headers, secret)
  if (event.event === 'sav.closed') console.log(event.data.reference, event.data.hash_sha256)
}
