/** The version of this package. Each release raises it. */
export const version = '1.0.0'
