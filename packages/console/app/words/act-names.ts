import type { Operations } from '@sav/client'

type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Every call that writes; the second names of those of the planning aside. */
type Act = {
  [M in WriteMethod]: `${M} ${Exclude<keyof Operations[M] & string, `/api/v1/planning/${string}`>}`
}[WriteMethod]

export type ActNames = Readonly<Record<Act, string>>
