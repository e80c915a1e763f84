import { expect, it } from 'vitest'
import { declaredSettings } from './declared-settings.js'
import { readSettings } from './settings.js'

/**
 * The variables that Kubernetes sets for a service with a named port.
 * @param service the service's name in capitals
 */
const linksOf = (service: string) => ({
  [`${service}_SERVICE_HOST`]: '10.96.0.12',
  [`${service}_SERVICE_PORT`]: '8080',
  [`${service}_SERVICE_PORT_HTTP`]: '8080',
  [`${service}_PORT`]: 'tcp://10.96.0.12:8080',
  [`${service}_PORT_8080_TCP`]: 'tcp://10.96.0.12:8080',
  [`${service}_PORT_8080_TCP_PROTO`]: 'tcp',
  [`${service}_PORT_8080_TCP_PORT`]: '8080',
  [`${service}_PORT_8080_TCP_ADDR`]: '10.96.0.12',
})

it('variables of a Kubernetes service are not settings, even if settings begin with the name of the service', () => {
  const names = Object.values(declaredSettings).map(({ variable }) => variable.name)
  const services = new Set(names.flatMap((name) => [...name.matchAll(/_|$/g)].map(({ index }) => name.slice(0, index))))
  expect(services).toContain('SAV')
  const env = Object.assign({ SAV_TIME_ZONE: 'Europe/Madrid' }, ...[...services].map(linksOf))
  const cwd = '/nowhere'
  const { passedOver, ...settings } = readSettings({ env, cwd })
  const { passedOver: none, ...alone } = readSettings({ env: { SAV_TIME_ZONE: 'Europe/Madrid' }, cwd })
  expect(JSON.stringify(settings)).toBe(JSON.stringify(alone))
  expect(passedOver).toEqual([{ name: 'SAV_PORT', value: 'tcp://10.96.0.12:8080' }])
  expect(none).toEqual([])
})

it('an http address as a port is refused', () => {
  expect(() => readSettings({ env: { SAV_PORT: 'http://10.96.0.12:8080' }, cwd: '/nowhere' })).toThrow(
    'SAV_PORT: found',
  )
})
