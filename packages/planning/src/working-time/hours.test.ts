import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../core/src/errors.js'
import { parse } from '../../../core/src/values/validation.js'
import { absencesInput, competencesInput, defaultHoraires, horairesInput } from './hours.js'

/** The refused fields, with their messages. */
function problems(act: () => unknown): Record<string, string> {
  try {
    act()
  } catch (error) {
    if (error instanceof ValidationError)
      return Object.fromEntries(error.details.map(({ field, message }) => [field, message]))
    throw error
  }
  return {}
}

/** Hours of a Monday, as `08:00–12:00 13:00–17:00`. */
const monday = (plages: string) => ({
  periodes: [
    {
      semaine: {
        lundi: plages.split(' ').map((each) => {
          const [debut, fin] = each.split('–')
          return { debut, fin }
        }),
      },
    },
  ],
})

describe('hours', () => {
  it('are parsed unchanged', () => {
    expect(parse(horairesInput, defaultHoraires)).toEqual(defaultHoraires)
    expect(parse(horairesInput, {})).toEqual({ periodes: [], exceptions: [] })
  })

  it('of a day are sorted', () => {
    expect(parse(horairesInput, monday('13:00–17:30 07:45–12:00')).periodes[0]?.semaine.lundi).toEqual([
      { debut: '07:45', fin: '12:00' },
      { debut: '13:00', fin: '17:30' },
    ])
  })

  it.each([
    ['to the end of the day', '22:00–24:00'],
    ['of one minute', '08:00–08:01'],
    ['that touch', '08:00–12:00 12:00–16:00'],
    ['that touch, the later one first', '12:00–16:00 08:00–12:00'],
  ] as const)('%s are accepted', (_, plages) => {
    expect(problems(() => parse(horairesInput, monday(plages)))).toEqual({})
  })

  it.each([
    ['empty', '08:00–08:00', { 'periodes[0].semaine.lundi[0].fin': /after debut/ }],
    ['backwards', '17:00–08:00', { 'periodes[0].semaine.lundi[0].fin': /after debut/ }],
    [
      'overlapping by a minute',
      '08:00–12:01 12:00–16:00',
      { 'periodes[0].semaine.lundi[1].debut': /overlaps 08:00 to 12:01/ },
    ],
    [
      'one is within the other, named by its index in the input',
      '09:00–10:00 08:00–12:00',
      { 'periodes[0].semaine.lundi[0].debut': /overlaps/ },
    ],
    ['the hour has one digit', '8:00–12:00', { 'periodes[0].semaine.lundi[0].debut': /HH:MM/ }],
    ['past the end of the day', '08:00–24:01', { 'periodes[0].semaine.lundi[0].fin': /HH:MM/ }],
    ['the minute is 60', '08:60–12:00', { 'periodes[0].semaine.lundi[0].debut': /HH:MM/ }],
  ] as const)('are refused when %s', (_, plages, expected) => {
    const found = problems(() => parse(horairesInput, monday(plages)))
    expect(Object.keys(found)).toEqual(Object.keys(expected))
    for (const [field, message] of Object.entries(expected)) expect(found[field]).toMatch(message)
  })

  it('are refused for impossible dates, periods and weekdays, and the refusal names each field', () => {
    const found = problems(() =>
      parse(horairesInput, {
        periodes: [
          { du: '2027-02-29', au: null, semaine: {} },
          { du: '2027-09-01', au: '2027-08-31', semaine: {} },
          { semaine: { monday: [] } },
        ],
        exceptions: [
          { date: '2027-12-24', plages: [] },
          { date: 'Noël', plages: [] },
          { date: '2027-12-24', plages: [] },
        ],
      }),
    )
    expect(Object.keys(found)).toEqual([
      'periodes[0].du',
      'periodes[1].au',
      'periodes[2].semaine.monday',
      'exceptions[1].date',
      'exceptions[2].date',
    ])
    expect(
      problems(() =>
        parse(horairesInput, {
          periodes: [{ du: '2027-08-31', au: '2027-08-31', semaine: {} }],
          exceptions: [
            { date: '2027-12-24', plages: [] },
            { date: '2027-12-24', plages: [] },
          ],
        }),
      ),
    ).toEqual({ 'exceptions[1].date': '2027-12-24 is named twice' })
  })
})

describe('absences', () => {
  const week = { debut: '2027-08-02T08:00:00+02:00', fin: '2027-08-23T08:00:00+02:00', motif: 'Congés d’été' }
  const training = { debut: '2027-03-15T07:00:00Z', fin: '2027-03-15T11:00:00Z' }

  it.each([
    ['as a list', [week, training]],
    ['in an object', { absences: [week, training] }],
  ])('are accepted %s, and parsed to UTC in order', (_, input) => {
    expect(parse(absencesInput, input)).toEqual([
      { debut: '2027-03-15T07:00:00.000Z', fin: '2027-03-15T11:00:00.000Z', motif: null },
      { debut: '2027-08-02T06:00:00.000Z', fin: '2027-08-23T06:00:00.000Z', motif: 'Congés d’été' },
    ])
  })

  it.each([
    ['without Z or offset', { debut: '2027-03-15T07:00:00', fin: week.fin }, 'absences[0].debut'],
    ['of a day that does not exist', { debut: '2027-02-30T07:00:00Z', fin: week.fin }, 'absences[0].debut'],
    ['that end when they begin', { debut: week.debut, fin: '2027-08-02T06:00:00Z' }, 'absences[0].fin'],
    [
      'of a year that has five digits in UTC',
      { debut: week.debut, fin: '9999-12-31T23:30:00-01:00' },
      'absences[0].fin',
    ],
    ['with an unknown field', { ...week, raison: 'x' }, 'absences[0].raison'],
  ])('%s are refused, and the refusal names the field', (_, absence, field) => {
    expect(Object.keys(problems(() => parse(absencesInput, [absence])))).toEqual([field])
    expect(Object.keys(problems(() => parse(absencesInput, { absences: [absence] })))).toEqual([field])
  })

  it.each([null, 'vacances', 3, {}, { absence: [] }])('are a list: %j is refused', (input) => {
    expect(Object.keys(problems(() => parse(absencesInput, input)))).not.toEqual([])
  })
})

describe('skills', () => {
  it('are parsed without repetitions, in the order in which skills are defined', () => {
    expect(parse(competencesInput, ['facade', 'electromenager', 'facade'])).toEqual(['electromenager', 'facade'])
    expect(parse(competencesInput, { competences: [] })).toEqual([])
  })

  it('that are unknown are refused, and the refusal names them', () => {
    expect(problems(() => parse(competencesInput, ['facade', 'plomberie']))).toEqual({
      'competences[1]':
        'must be one of quincaillerie, electromenager, plan_travail, facade, reglage, autre (found plomberie)',
    })
  })
})
