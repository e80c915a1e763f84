/** Temporal for Node before 26. Bundled into a file of its own, which `time.ts` loads where the platform has none. */
export { Temporal } from 'temporal-polyfill/implementation'
