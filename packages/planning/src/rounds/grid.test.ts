import { describe, expect, it } from 'vitest'
import { onGrid } from './grid.js'
import type { RoundPlan, RoundProblem, RoundVisit } from './round-problem.js'
import { roundOf } from './round-travel.js'

const minute = 60
const hour = 60 * minute
/** `9:07` as seconds. */
const at = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * hour + minutes * minute
}
const clock = (seconds: number) => `${Math.floor(seconds / hour)}:${String((seconds % hour) / minute).padStart(2, '0')}`

type RoundVisitInput = Partial<Omit<RoundVisit, 'current'>> & { readonly now?: string; readonly planned: string }

/** The times on a grid of 15 minutes: one installer from 8:00 to `fin`, visits of an hour, ten minutes of travel between. */
function onQuarters(given: readonly RoundVisitInput[], fin = '17:00'): string[] {
  const visits = given.map(
    ({ now, planned: _, ...fields }, id): RoundVisit => ({
      ...{ id, node: id, duration: hour, competence: null, installer: null, fenetre: null, isPromised: false },
      current: now === undefined ? null : { installer: 1, debut: at(now) },
      ...fields,
    }),
  )
  const way = visits.map((_, from) => visits.map((__, to) => (from === to ? 0 : 10 * minute)))
  const installer = { id: 1, plages: [{ debut: at('8:00'), fin: at(fin) }], start: null, end: null, competences: null }
  const problem: RoundProblem = { installers: [installer], visits, travel: { seconds: way, meters: way }, step: minute }
  const round = roundOf(problem, installer, visits, ({ id }) => at(given[id]?.planned ?? ''))
  const none = { seconds: 0, meters: 0 }
  const plan: RoundPlan = {
    rounds: [round],
    unserved: [],
    before: none,
    after: none,
    isExact: true,
    avertissements: [],
  }
  return onGrid(problem, plan, 15 * minute).rounds.flatMap(({ visits }) => visits.map(({ debut }) => clock(debut)))
}

describe('visits that rounds move', () => {
  it('are rounded up to the grid, and delay later visits if needed', () => {
    expect(onQuarters([{ planned: '8:07' }, { planned: '9:17' }, { planned: '14:01' }])).toEqual([
      '8:15',
      '9:30',
      '14:15',
    ])
    expect(onQuarters([{ planned: '8:15' }, { planned: '9:30' }])).toEqual(['8:15', '9:30'])
  })

  it('begin at times of the grid, while a visit that stays moves onto the grid only if a moved one delays it', () => {
    expect(onQuarters([{ planned: '8:07', now: '8:07' }, { planned: '10:20' }])).toEqual(['8:07', '10:30'])
    expect(onQuarters([{ planned: '8:07' }, { planned: '9:20', now: '9:20' }])).toEqual(['8:15', '9:30'])
    expect(onQuarters([{ planned: '8:07' }, { planned: '9:25', now: '9:25' }])).toEqual(['8:15', '9:25'])
  })

  it('keep the planned time if rounding would break a window', () => {
    const until = (fin: string) => [{ planned: '8:07', fenetre: { debut: at('8:00'), fin: at(fin) } }]
    expect(onQuarters(until('8:15'))).toEqual(['8:15'])
    expect(onQuarters(until('8:14'))).toEqual(['8:07'])
  })

  it('keep the planned time if rounding would make the last visit of the day too late', () => {
    expect(onQuarters([{ planned: '8:07' }, { planned: '9:17' }], '10:30')).toEqual(['8:15', '9:30'])
    expect(onQuarters([{ planned: '8:07' }, { planned: '9:17' }], '10:25')).toEqual(['8:15', '9:25'])
    expect(onQuarters([{ planned: '8:07' }, { planned: '9:17' }], '10:24')).toEqual(['8:07', '9:17'])
  })

  it('do not change a promised time, and leave enough travel time before it', () => {
    const promised = (debut: string) => ({
      ...{ planned: debut, now: debut, isPromised: true, installer: 1 },
      fenetre: { debut: at(debut), fin: at(debut) },
    })
    expect(onQuarters([{ planned: '8:07' }, promised('9:25')])).toEqual(['8:15', '9:25'])
    expect(onQuarters([{ planned: '8:07' }, promised('9:24')])).toEqual(['8:07', '9:24'])
    // Infeasible promises are unchanged.
    expect(onQuarters([promised('9:00'), promised('9:30'), { planned: '11:01' }])).toEqual(['9:00', '9:30', '11:15'])
  })
})
