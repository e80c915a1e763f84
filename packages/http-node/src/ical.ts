export { rdvIcalOf } from './calendars/ical.js'
