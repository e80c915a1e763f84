import type { Feature } from '@sav/core/feature'
import { type Search, searchQueries } from './search/search.js'
import { type Statistics, statisticsQueries } from './statistics/statistics.js'
import { statisticsStore } from './statistics/statistics-store.js'

/** The use cases of this feature, by their names in the service. */
export interface InsightCases {
  /** Searches what the caller may see: see Search. */
  readonly search: Search['search']
  /** The numbers of a period: see Statistics. */
  readonly statistics: Statistics['statistics']
}

/** The feature, as a type: `Sav<Insight>` has its use cases. */
export type Insight = Feature<InsightCases>

/** A search over everything, and the statistics of a period. */
export const insight = (): Insight => ({
  name: 'insight',
  buildsOn: ['planning'],
  stores: [statisticsStore],
  compose: (parts) => ({
    on({ reads }) {
      const { search } = searchQueries({ ...parts, reads })
      const { statistics } = statisticsQueries({ ...parts, reads })
      return { useCases: { search, statistics }, writes: {} }
    },
  }),
})
