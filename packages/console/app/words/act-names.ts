import type { Operations } from '@sav/client'

type Writing = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Every call that writes; the second names of those of the planning aside. */
type Act = {
  [M in Writing]: `${M} ${Exclude<keyof Operations[M] & string, `/api/v1/planning/${string}`>}`
}[Writing]

export type ActNames = Readonly<Record<Act, string>>
