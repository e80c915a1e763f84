import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from './database.js'
import { type LastBackup, lastBackup } from './last-backup.js'

/** What may be stored on the disks of this machine. A database server and a bucket manage their own space. */
export const storedThings = ['store', 'files', 'backup'] as const
type StoredThing = (typeof storedThings)[number]

/** A place on a disk of this machine. */
export interface StorageLocation {
  readonly what: StoredThing
  readonly path: string
  /** The space on the disk of the place; null if the place is missing. */
  readonly space: { readonly freeBytes: number; readonly sizeBytes: number } | null
}

/**
 * The places of this installation and of its last backup. The store's place is its file, not its directory: if a volume
 * is removed, its mount directory remains.
 */
export async function placesOf(
  { database, files }: Pick<Settings, 'database' | 'files'>,
  backup: LastBackup | null,
): Promise<StorageLocation[]> {
  const paths: [StoredThing, string][] = []
  if (database.kind === 'sqlite') paths.push(['store', database.path])
  if (files?.kind === 'directory') paths.push(['files', files.path])
  if (backup !== null) paths.push(['backup', dirname(backup.file)])
  return Promise.all(paths.map(async ([what, path]) => ({ what, path, space: await spaceAt(path) })))
}

async function spaceAt(path: string): Promise<StorageLocation['space']> {
  const found = await statfs(path).catch(() => null)
  return found && { freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize }
}

/** If less than this share of its disk is free, a place is short of space. */
export const shortShare = 0.1

/** A disk with fewer free bytes counts as full. Small writes may still fit, but not a case with its photos. */
const fullBytes = 4 * 1024 * 1024

/** Why nothing can be stored in a place; null if it can. */
export function problemAt({ what, path, space }: StorageLocation): string | null {
  if (space === null) return `${path}, the place of the ${what}, is missing: is its volume mounted?`
  return space.freeBytes < fullBytes ? `The disk of ${path} (${what}) is full: make room.` : null
}

/** The record of the last backup, and the places of this installation and that backup. */
export async function placesAndBackup(storage: Pick<StoreStorage, 'reads'>, settings: Settings) {
  const backup = await lastBackup(storage)
  return { backup, places: await placesOf(settings, backup) }
}
