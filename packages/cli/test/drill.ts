import { local, type Workplace } from './workplace.js'

/** Starts a service with metrics, and reads its readiness and metrics. */
export async function started(shop: Workplace, env = {}) {
  const service = shop.start('serve --port 0', { ...local, SAV_METRICS: '127.0.0.1:0', ...env })
  const [, metricsUrl = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
  const url = await service.url()
  return {
    service,
    url,
    metricsUrl,
    metrics: async () => (await fetch(metricsUrl)).text(),
    readiness: async () => (await fetch(`${url}/readyz`)).status,
  }
}

interface Doctor {
  readonly ok: boolean
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  readonly [fact: string]: unknown
}

export async function doctorOf(shop: Workplace, env = {}) {
  const { code, stdout } = await shop.sav('doctor --json', { ...local, ...env })
  const said: Doctor = JSON.parse(stdout)
  return { code, said }
}
