export { type Insight, type InsightCases, insight } from './insight.js'
export type { SearchInput, SearchResults, SearchScope } from './search/search.js'
export type { StatisticsInput, StatisticsView } from './statistics/statistics.js'
