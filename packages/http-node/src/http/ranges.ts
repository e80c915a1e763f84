import { type ApiRequest, type ApiResponse, headerOf } from './exchange.js'
import { Refusal } from './failures.js'

/**
 * The requested part of an answer, if the answer supports ranges (RFC 9110 §14). Several ranges, another unit, and an
 * invalid header are ignored: the whole is a correct answer to these.
 * @throws Refusal when the range begins after the end
 */
export function ranged(request: ApiRequest, response: ApiResponse): ApiResponse {
  const range = request.header('range')
  if (range === undefined || request.method !== 'GET' || response.status !== 200) return response
  if (headerOf(response, 'Accept-Ranges') !== 'bytes' || typeof response.body === 'string') return response
  const ifRange = request.header('if-range')
  if (ifRange !== undefined && ifRange.trim() !== headerOf(response, 'ETag')) return response

  const { headers, body } = response
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range.trim()) ?? []
  if (first === '' && last === '') return response
  const start = first === '' ? Math.max(0, body.length - Number(last)) : Number(first)
  const end = first === '' || last === '' ? body.length : Math.min(body.length, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < start) return response
  if (start >= end) throw new Refusal('range_not_satisfiable', { headers: ['Content-Range', `bytes */${body.length}`] })
  return {
    status: 206,
    headers: [...headers, 'Content-Range', `bytes ${start}-${end - 1}/${body.length}`],
    body: body.subarray(start, end),
  }
}
