import { loadDriver } from '../drivers.js'

export const driver = loadDriver('pg')
