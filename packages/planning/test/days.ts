import type { RoundProblem } from '../src/rounds/round-problem.js'

export const at = (hours: number, minutes = 0) => (hours * 60 + minutes) * 60

/** Two installers at home in Lyon, and visits along one road, each ten minutes from the next. */
export function roadDay(count: number): RoundProblem {
  const seconds = Array.from({ length: count + 1 }, (_, from) =>
    Array.from({ length: count + 1 }, (_to, to) => Math.abs(from - to) * 600),
  )
  return {
    installers: [7, 8].map((id) => ({
      id,
      plages: [
        { debut: at(8), fin: at(12) },
        { debut: at(13), fin: at(17) },
      ],
      start: 0,
      end: 0,
      competences: null,
    })),
    visits: Array.from({ length: count }, (_, place) => ({
      id: 100 + place,
      node: place + 1,
      duration: at(0, 30),
      competence: null,
      installer: null,
      fenetre: null,
      isPromised: false,
      current: null,
    })),
    travel: { seconds, meters: seconds.map((row) => row.map((each) => each * 12)) },
    step: 60,
  }
}
