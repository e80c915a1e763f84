import { signal } from '@preact/signals'
import type { ComponentChild } from 'preact'

/** The dialog that is open over any screen; null: none. */
export const question = signal<ComponentChild>(null)
