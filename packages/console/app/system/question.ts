import { signal } from '@preact/signals'
import type { ComponentChild } from 'preact'

/** What is asked, whatever screen is shown by then; null: nothing. */
export const question = signal<ComponentChild>(null)
