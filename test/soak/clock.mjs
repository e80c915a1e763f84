// Preloaded by every process of the soak: its time of day is so far from the machine's, so that a change of the clock comes
// while it runs. Timers and the monotonic clock stay as they are.
const offsetMs = Number(process.env['SOAK_CLOCK_OFFSET_MS'] ?? 0)
const Machine = Date

globalThis.Date = class extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + offsetMs)
    else super(...given)
  }

  static now() {
    return Machine.now() + offsetMs
  }
}
