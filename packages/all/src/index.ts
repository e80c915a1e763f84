export { type AllFeatures, allFeatures } from './features.js'
