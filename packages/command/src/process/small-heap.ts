import { setFlagsFromString } from 'node:v8'

/**
 * For commands that read more than fits in memory. Without it, `sav copy` of 240 MB of photos and 96 MB of events takes
 * 212 MB, with it 154 MB.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--optimize-for-size')
