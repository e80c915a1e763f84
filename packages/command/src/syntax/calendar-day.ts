/** Whether a text is a day of the calendar, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text
}

const dayMs = 86_400_000

/** The seven days of the week of `date`, from Monday. */
export function weekOf(date: string): readonly string[] {
  const ms = Date.parse(`${date}T00:00:00Z`)
  const monday = ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs
  return Array.from({ length: 7 }, (_, day) => new Date(monday + day * dayMs).toISOString().slice(0, 10))
}
