/** Prefixes by which scanners and logs recognise secrets. */
const prefixes = { session: 'sav_ses_', invitation: 'sav_inv_', calendar: 'sav_cal_', rdvPage: 'sav_rdv_' } as const

/** A secret: the prefix of its kind, then the bytes in base64url. @param bytes 32 random bytes */
export const secretOf = (kind: keyof typeof prefixes, bytes: Uint8Array): string =>
  `${prefixes[kind]}${Buffer.from(bytes).toString('base64url')}`

/** False for a text that cannot be a secret of this kind, so that it need not be looked up. */
export const isSecret = (kind: keyof typeof prefixes, text: string): boolean =>
  text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
