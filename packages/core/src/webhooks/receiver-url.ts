import ipaddr from 'ipaddr.js'

/** Which addresses a receiver may have. */
export interface ReceiverPolicy {
  /** Local development: plain http and private addresses are accepted too. */
  readonly allowLocal: boolean
}

const maxLength = 2048

/** Null, or why the URL cannot be a receiver, in words for its owner. */
export function receiverUrlProblem(value: string, { allowLocal }: ReceiverPolicy): string | null {
  if (value.length > maxLength) return `at most ${maxLength} characters (found ${value.length})`
  if (!URL.canParse(value)) return 'must be an absolute URL'
  const url = new URL(value)
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:'))
    return 'must be an https URL (http is accepted for local development only)'
  if (allowLocal) return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPrivate = ipaddr.isValid(host) ? ipaddr.process(host).range() !== 'unicast' : /(^|\.)localhost\.?$/.test(host)
  return isPrivate ? 'must be a public address (private ones are accepted for local development only)' : null
}
