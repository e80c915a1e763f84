import type { Random } from '../values/random.js'

/** Prefixes by which scanners and logs recognise secrets. */
const prefixes = { session: 'sav_ses_', invitation: 'sav_inv_' } as const

/** The prefix, then 32 random bytes in base64url. */
export const newSecret = (kind: keyof typeof prefixes, random: Random): string =>
  `${prefixes[kind]}${Buffer.from(random(32)).toString('base64url')}`

/** False for a text that cannot be a secret: it needs no look-up. */
export const isSecret = (kind: keyof typeof prefixes, text: string): boolean =>
  text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
