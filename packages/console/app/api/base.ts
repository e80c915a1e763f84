/** The prefix of the API's paths, without a trailing slash. */
export const apiBase = document.documentElement.dataset['api'] ?? ''
