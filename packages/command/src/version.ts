/** The version of this package, which a release raises. */
export const version = '0.0.0'
