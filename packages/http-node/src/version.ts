/** The version of this package, which a release raises. */
export const version = '1.0.0'
