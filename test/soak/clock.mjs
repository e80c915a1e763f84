// Preloaded by every process of the soak test: shifts its time of day, so that a change of the clock happens during the
// run. Timers and the monotonic clock are not affected.
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
