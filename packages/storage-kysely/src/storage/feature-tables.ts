import type { StoreToken } from '@sav/core/feature'
import type { QueryRunner } from '../statements/query-runner.js'
import { type AddedTables, type StoreTables, storeTables } from '../tables/store-tables.js'

/** The tables and repositories of a feature, for opening a store. */
export interface FeatureTables extends AddedTables {
  readonly repositories: readonly FeatureRepository[]
}

/** A repository by its token. */
export interface FeatureRepository {
  readonly token: StoreToken<unknown>
  readonly on: (db: QueryRunner) => unknown
}

/** The repository that a storage returns for `token`, on a connection. */
export const repository = <Reads, Writes extends Reads>(
  token: StoreToken<Reads, Writes>,
  on: (db: QueryRunner) => Writes,
): FeatureRepository => ({ token, on })

/** The repositories of a store's features, by their tokens. */
export type FeatureRepositories = ReadonlyMap<StoreToken<unknown>, FeatureRepository['on']>

/** What a store with some features contains. */
export interface FeatureParts {
  readonly features: readonly FeatureTables[]
  readonly tables: StoreTables
  readonly repositories: FeatureRepositories
}

export const partsOf = (features: readonly FeatureTables[]): FeatureParts => ({
  features,
  tables: storeTables(features),
  repositories: new Map(
    features.flatMap(({ repositories }) => repositories.map(({ token, on }) => [token, on] as const)),
  ),
})

/** Returns each repository of a feature, created at its first use. */
export function finding(repositories: FeatureRepositories, db: QueryRunner) {
  const made = new Map<StoreToken<unknown>, unknown>()
  return <Reads, Writes extends Reads>(token: StoreToken<Reads, Writes>): Writes => {
    if (!made.has(token)) {
      const on = repositories.get(token)
      if (on === undefined) throw new Error(missing(token))
      made.set(token, on(db))
    }
    // `repository` has stored it under a token of its own type.
    return made.get(token) as Writes
  }
}

const missing = ({ feature }: StoreToken<unknown>) =>
  `The storage has no tables of ${feature}: add ${feature}Tables to the \`features\` that it is opened with.`
