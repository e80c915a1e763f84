import type { Random } from '../../values/random.js'

/** With what secrets in addresses begin, which tells scanners and logs that they are secrets. */
const calendarPrefix = 'sav_cal_'
export const pagePrefix = 'sav_rdv_'

/** 32 bytes after the prefix. */
const shapeOf = (prefix: string) => new RegExp(`^${prefix}[\\w-]{43}$`)
const calendarShape = shapeOf(calendarPrefix)
const pageShape = shapeOf(pagePrefix)

/** 32 random bytes. */
export const newCalendarSecret = (random: Random): string =>
  `${calendarPrefix}${Buffer.from(random(32)).toString('base64url')}`

/** False for what nobody was ever given: it needs no look-up. */
export const isCalendarSecret = (text: string): boolean => calendarShape.test(text)
export const isPageSecret = (text: string): boolean => pageShape.test(text)
