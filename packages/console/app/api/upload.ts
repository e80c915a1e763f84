import { signal } from '@preact/signals'

/** The sent share of the current upload, from 0 to 1; null: nothing large is being sent. */
export const sentShare = signal<number | null>(null)

/** In characters. A shorter body is sent so fast that nobody could read its progress. */
const largeLength = 200_000

/** Like `fetch`, but reports the progress of a large body: only XMLHttpRequest does so in every browser. */
export function send(url: string, init: RequestInit): Promise<Response> {
  const { body } = init
  if (typeof body !== 'string' || body.length < largeLength) return fetch(url, init)
  return new Promise<Response>((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open(init.method ?? 'POST', url)
    new Headers(init.headers).forEach((value, name) => {
      call.setRequestHeader(name, value)
    })
    call.responseType = 'arraybuffer'
    call.upload.onprogress = ({ loaded, total }) => {
      sentShare.value = loaded / total
    }
    call.onload = () => resolve(new Response(call.response, { status: call.status, headers: headersOf(call) }))
    call.onerror = () => reject(new TypeError('Failed to send'))
    sentShare.value = 0
    call.send(body)
  }).finally(() => {
    sentShare.value = null
  })
}

function headersOf(call: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of call.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
