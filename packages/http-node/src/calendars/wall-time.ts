import type {
  ICalTemporalInstantStub,
  ICalTemporalPlainDateStub,
  ICalTemporalPlainDateTimeStub,
  ICalTemporalZonedDateTimeStub,
} from 'ical-generator'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, made)
  return made
}

/** What a clock on the wall shows. */
class WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  protected readonly ms: number

  constructor(ms: number, timeZone: string) {
    const parts = new Map(
      formatOf(timeZone)
        .formatToParts(ms)
        .map(({ type, value }) => [type, Number(value)]),
    )
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    this.ms = ms
    this.year = part('year')
    this.month = part('month')
    this.day = part('day')
    this.hour = part('hour')
    this.minute = part('minute')
    this.second = part('second')
  }

  toJSON(): string {
    return new Date(this.ms).toISOString()
  }

  toString(): string {
    return this.toJSON()
  }
}

class PlainTime extends WallTime implements ICalTemporalPlainDateTimeStub {
  toPlainDate(): ICalTemporalPlainDateStub {
    return this
  }

  toZonedDateTime(timeZone: string): ICalTemporalZonedDateTimeStub {
    return new ZonedTime(this.ms, timeZone)
  }
}

/** As much of `Temporal.ZonedDateTime` as ical-generator asks for: Node has it only from version 26 on. */
export class ZonedTime extends WallTime implements ICalTemporalZonedDateTimeStub {
  readonly timeZoneId: string

  constructor(ms: number, timeZone: string) {
    super(ms, timeZone)
    this.timeZoneId = timeZone
  }

  toInstant(): ICalTemporalInstantStub {
    const { ms } = this
    const text = this.toJSON()
    const toText = () => text
    return {
      epochMilliseconds: ms,
      toJSON: toText,
      toString: toText,
      toZonedDateTimeISO: (timeZone: string) => new ZonedTime(ms, timeZone),
    }
  }

  toPlainDateTime(): ICalTemporalPlainDateTimeStub {
    return new PlainTime(this.ms, this.timeZoneId)
  }

  withTimeZone(timeZone: string): ICalTemporalZonedDateTimeStub {
    return new ZonedTime(this.ms, timeZone)
  }
}
