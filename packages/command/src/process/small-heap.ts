import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8's heap small, for commands that read more data than fits in memory. With it, `sav copy` of 240 MB of photos
 * and 96 MB of events takes 154 MB of memory; without it, 212 MB.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--optimize-for-size')
