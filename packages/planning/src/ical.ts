export { rdvIcalOf } from './ical/ical.js'
