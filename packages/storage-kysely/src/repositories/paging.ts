import type { Page } from '@sav/core/ports'

export type Range = { readonly limit: number; readonly offset: number }

export function rangeOf({ page, limite }: Page): Range {
  return { limit: limite, offset: (page - 1) * limite }
}
