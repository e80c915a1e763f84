import type { Random } from '../../values/random.js'

/** The prefix of secrets in addresses, by which scanners and logs recognise them. */
const calendarPrefix = 'sav_cal_'
export const pagePrefix = 'sav_rdv_'

/** The prefix, then 32 bytes. */
const shapeOf = (prefix: string) => new RegExp(`^${prefix}[\\w-]{43}$`)
const calendarShape = shapeOf(calendarPrefix)
const pageShape = shapeOf(pagePrefix)

/** 32 random bytes. */
export const newCalendarSecret = (random: Random): string =>
  `${calendarPrefix}${Buffer.from(random(32)).toString('base64url')}`

/** False for a text that cannot be a secret: it needs no look-up. */
export const isCalendarSecret = (text: string): boolean => calendarShape.test(text)
export const isPageSecret = (text: string): boolean => pageShape.test(text)
