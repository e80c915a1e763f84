export { type FixedClock, fixedClock } from './fixed-clock.js'
export { httpAnswer, noAnswer, type RecordingChannel, recordingChannel, type Sent } from './recording-channel.js'
export { seededRandom } from './seeded-random.js'
