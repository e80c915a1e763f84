/** Before the paths of the API, without a slash at its end. */
export const apiBase = document.documentElement.dataset['api'] ?? ''
