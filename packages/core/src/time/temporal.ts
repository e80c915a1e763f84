/** Temporal for Node before 26. Bundled into a separate file, which `time.ts` loads if the platform lacks it. */
export { Temporal } from 'temporal-polyfill/implementation'
