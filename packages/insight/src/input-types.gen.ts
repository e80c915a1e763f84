// Made from the schemas of inputs.gen.ts: npm test -- client-operations -u rewrites it.

/** What each use case takes. */
export interface Inputs {
  search: {
    /** Words, a name, a street, a town, a telephone number, or the number of a case. At most 200 characters. */
    q: string
    /** The maximum number of results of each kind. From 1 to 50. */
    limite?: number | undefined
  }
  statistics: {
    /** The first local day. */
    du?: string | undefined
    /** The last local day. */
    au?: string | undefined
  }
}
