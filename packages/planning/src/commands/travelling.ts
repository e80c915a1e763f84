import type { Settings } from '@sav/command/feature'
import type { SavDeps } from '@sav/core'
import type { PlanningOptions } from '../planning.js'
import type { RoundSolver } from '../rounds/round-problem.js'
import { travelByBands } from '../travel/bands.js'

type TravelSettings = Pick<Settings, 'osrmUrl' | 'vroomUrl' | 'geocoderUrl'>

/** Rounds and travel times, as the settings configure them. Everything is loaded at its first use. */
export function travellingOf({
  osrmUrl,
  vroomUrl,
}: TravelSettings): Required<Pick<PlanningOptions, 'roundSolver' | 'travelTimes'>> {
  const solver = once(async (): Promise<RoundSolver> => {
    const { solverInThread, vroomSolver } = await import('@sav/planning/engines')
    const own = solverInThread()
    return vroomUrl === null ? own : vroomSolver({ url: vroomUrl, fallback: own })
  })
  const router = once(async () => {
    if (osrmUrl === null) return travelByBands
    const { osrmTravel } = await import('@sav/planning/engines')
    return osrmTravel({ url: osrmUrl, fallback: travelByBands })
  })
  return {
    roundSolver: { solve: async (problem, signal) => (await solver()).solve(problem, signal) },
    travelTimes: { table: async (points) => (await router()).table(points) },
  }
}

/** Finds places, as the settings configure it. Everything is loaded at its first use. */
export function locatingOf({ geocoderUrl }: TravelSettings): Required<Pick<SavDeps, 'locate'>> {
  const finder = once(async () => {
    if (geocoderUrl === null) return null
    const { geocoder } = await import('@sav/planning/engines')
    return geocoder({ url: geocoderUrl })
  })
  return {
    async locate(lieu) {
      const found = await (await finder())?.pointOf(lieu)
      // The postal code alone leads to the centre of the town, which must not be used as the address.
      return found?.precision === 'exacte' ? found.point : null
    },
  }
}

/** Calls `make` at the first call and keeps the result. After a failure, the next call tries again. */
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
