import * as z from 'zod'

/** A place in a list that is in the order of an instant, then of an id. */
export interface Position {
  readonly at: string
  readonly id: string
}

export const cursorOf = ({ at, id }: Position): string => Buffer.from(`${at} ${id}`).toString('base64url')

/**
 * Parses what `cursorOf` made to the place that it stands for.
 * @param prefix of the ids in the list
 */
export function cursor(prefix: string) {
  const shape = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) (${prefix}_\\w{1,100})$`)
  return z.string().transform((text, context): Position => {
    const [, at, id] = shape.exec(Buffer.from(text, 'base64url').toString()) ?? []
    if (at !== undefined && id !== undefined) return { at, id }
    context.addIssue({ code: 'custom', message: 'must be a curseur that a page gave' })
    return z.NEVER
  })
}
