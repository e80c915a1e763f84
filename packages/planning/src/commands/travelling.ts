import type { Settings } from '@sav/command/feature'
import type { SavDeps } from '@sav/core'
import type { PlanningOptions } from '../planning.js'
import type { RoundSolver } from '../rounds/round-problem.js'
import { travelByBands } from '../travel/bands.js'

type TravelSettings = Pick<Settings, 'osrmUrl' | 'vroomUrl' | 'geocoderUrl'>

/** Rounds and travel times by the settings; everything is loaded at its first use. */
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

/** Finds places by the settings; loaded like `travellingOf`. */
export function locatingOf({ geocoderUrl }: TravelSettings): Required<Pick<SavDeps, 'locate'>> {
  const finder = once(async () => {
    if (geocoderUrl === null) return null
    const { geocoder } = await import('@sav/planning/engines')
    return geocoder({ url: geocoderUrl })
  })
  return {
    async locate(lieu) {
      const found = await (await finder())?.pointOf(lieu)
      // A town's centre also follows from the postal code, and must not be used as the address.
      return found?.precision === 'exacte' ? found.point : null
    },
  }
}

/** Creates it at the first call; after a failure, at the next. */
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
