/** The version of this package. Each release raises it. */
export const version = '0.0.0'
