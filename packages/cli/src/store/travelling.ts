import type { SavDeps } from '@sav/core'
import { travelByBands } from '@sav/core/internal'
import type { RoundSolver } from '@sav/core/ports'
import type { Settings } from '../settings/settings.js'

type TravelAdapters = Required<Pick<SavDeps, 'roundSolver' | 'travelTimes' | 'locate'>>

/** Rounds, travel times and places as the settings have them; nothing of it is loaded before it is asked for. */
export function travellingOf(settings: Pick<Settings, 'osrmUrl' | 'vroomUrl' | 'geocoderUrl'>): TravelAdapters {
  const { osrmUrl, vroomUrl, geocoderUrl } = settings
  const solver = once(async (): Promise<RoundSolver> => {
    const { solverInThread, vroomSolver } = await import('@sav/travel')
    const own = solverInThread()
    return vroomUrl === null ? own : vroomSolver({ url: vroomUrl, fallback: own })
  })
  const router = once(async () => {
    if (osrmUrl === null) return travelByBands
    const { osrmTravel } = await import('@sav/travel')
    return osrmTravel({ url: osrmUrl, fallback: travelByBands })
  })
  const finder = once(async () => {
    if (geocoderUrl === null) return null
    const { geocoder } = await import('@sav/travel')
    return geocoder({ url: geocoderUrl })
  })
  return {
    roundSolver: { solve: async (problem, signal) => (await solver()).solve(problem, signal) },
    travelTimes: { table: async (points) => (await router()).table(points) },
    async locate(lieu) {
      const found = await (await finder())?.pointOf(lieu)
      // A town's centre is known from the postal code as well, and would be taken for the address.
      return found?.precision === 'exacte' ? found.point : null
    },
  }
}

/** Makes it at the first call; where that fails, again at the next. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
