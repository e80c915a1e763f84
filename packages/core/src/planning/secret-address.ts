import type { Random } from '../random.js'

const prefix = 'sav_cal_'
const shape = /^sav_cal_[\w-]{43}$/

/** 32 random bytes, with what tells scanners and logs that it is a secret. */
export const newCalendarSecret = (random: Random): string => `${prefix}${Buffer.from(random(32)).toString('base64url')}`

/** False for what nobody was ever given: it needs no look-up. */
export const isCalendarSecret = (text: string): boolean => shape.test(text)
