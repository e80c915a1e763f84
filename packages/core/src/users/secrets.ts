import type { Random } from '../values/random.js'

/** How they begin, so that scanners and logs can tell them. */
const prefixes = { session: 'sav_ses_', invitation: 'sav_inv_' } as const

/** 32 random bytes, base64url, behind what tells what they are. */
export const newSecret = (kind: keyof typeof prefixes, random: Random): string =>
  `${prefixes[kind]}${Buffer.from(random(32)).toString('base64url')}`

/** False for what nobody was ever given: it needs no look-up. */
export const isSecret = (kind: keyof typeof prefixes, text: string): boolean =>
  text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
