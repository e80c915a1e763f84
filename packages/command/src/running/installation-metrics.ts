import { healthStates } from '@sav/core/adapter'
import { Gauge, type Registry } from 'prom-client'
import { type StorageLocation, storedThings } from '../store/free-space.js'
import type { Installation } from './installation.js'

/**
 * Gauges of the installation. Returns the function that sets them. It takes null if the store could not be read: then
 * the last values are dropped.
 */
export function installationGauges(registers: Registry[]): (found: Installation | null) => void {
  const endpoints = new Gauge({
    name: 'sav_endpoints',
    help: 'Endpoints of all accounts, by state. The count may be up to 10 s old.',
    labelNames: ['state'],
    registers,
  })
  const letters = new Gauge({
    name: 'sav_letters_waiting',
    help: 'E-mails and WhatsApp messages waiting for an attempt. The count may be up to 10 s old.',
    registers,
  })
  const lastBackup = new Gauge({
    name: 'sav_last_backup_timestamp_seconds',
    help: 'When `sav backup` last succeeded, in Unix time; 0: never.',
    registers,
  })
  return (found) => {
    if (found === null) {
      endpoints.reset()
      for (const gauge of [letters, lastBackup]) gauge.set(Number.NaN)
      return
    }
    for (const state of healthStates) endpoints.set({ state }, found.receivers[state])
    letters.set(found.letters)
    lastBackup.set(found.backup === null ? 0 : Date.parse(found.backup.at) / 1000)
  }
}

/**
 * Gauges of the disks. They need no answer from the store, which may fail because a disk is full. Returns the function
 * that sets them.
 */
export function diskGauges(registers: Registry[]): (places: readonly StorageLocation[]) => void {
  const freeBytes = new Gauge({
    name: 'sav_free_bytes',
    help: `Free space on the disk of each place (${storedThings.join(', ')}); 0 if the place is missing.`,
    labelNames: ['path'],
    registers,
  })
  const sizeBytes = new Gauge({
    name: 'sav_size_bytes',
    help: 'Size of the disk whose free space sav_free_bytes reports; 0 if the place is missing.',
    labelNames: ['path'],
    registers,
  })
  return (places) => {
    freeBytes.reset()
    sizeBytes.reset()
    for (const { what, space } of places) {
      // A missing place is reported with 0 bytes.
      freeBytes.set({ path: what }, space?.freeBytes ?? 0)
      sizeBytes.set({ path: what }, space?.sizeBytes ?? 0)
    }
  }
}
