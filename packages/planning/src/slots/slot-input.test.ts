import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../core/src/errors.js'
import { parse } from '../../../core/src/values/validation.js'
import { comingDays } from '../appointments/days.js'
import { slotsInput } from './slot-input.js'

function fields(act: () => unknown): readonly string[] {
  try {
    act()
  } catch (error) {
    if (error instanceof ValidationError) return error.details.map(({ field }) => field)
    throw error
  }
  return []
}

describe('the input for slots', () => {
  it('requires only the duration', () => {
    expect(parse(slotsInput, { duree: 90 })).toEqual({ duree: 90, tampon: 0, delai_min: 0, limite: 50 })
  })

  it('accepts hours of the day', () => {
    expect(parse(slotsInput, { duree: 90, fenetre: '08:00-12:30' }).fenetre).toEqual({ debut: 480, fin: 750 })
    expect(parse(slotsInput, { duree: 90, fenetre: '18:00-24:00' }).fenetre).toEqual({ debut: 1080, fin: 1440 })
  })

  it.each([
    [{ duree: 1 }, []],
    [{ duree: 0 }, ['duree']],
    [{ duree: 720 }, []],
    [{ duree: 721 }, ['duree']],
    [{}, ['duree']],
    [{ duree: 60, pas: 5 }, []],
    [{ duree: 60, pas: 7 }, ['pas']],
    [{ duree: 60, tampon: 240 }, []],
    [{ duree: 60, tampon: 241 }, ['tampon']],
    [{ duree: 60, delai_min: 132_480 }, []],
    [{ duree: 60, delai_min: 132_481 }, ['delai_min']],
    [{ duree: 60, limite: 200 }, []],
    [{ duree: 60, limite: 201 }, ['limite']],
    [{ duree: 60, limite: 0 }, ['limite']],
    [{ duree: 60, fenetre: 'matin' }, ['fenetre']],
    [{ duree: 60, fenetre: '12:00-12:00' }, ['fenetre']],
    [{ duree: 60, fenetre: '12:00-11:00' }, ['fenetre']],
    [{ duree: 60, fenetre: '24:00-24:00' }, ['fenetre']],
    [{ duree: 60, lat: 44.8 }, ['lon']],
    [{ duree: 60, lon: -0.5 }, ['lon']],
    [{ duree: 60, lat: 44.8, lon: -0.5 }, []],
    [{ duree: 60, sav_id: 3 }, []],
    [{ duree: 60, sav_id: 3, code_postal: '33700' }, ['sav_id']],
    [{ duree: 60, type_probleme: 'plomberie' }, ['type_probleme']],
    [{ duree: 60, du: '2027-02-29' }, ['du']],
    [{ duree: 60, duration: 90 }, ['duration']],
  ])('as %j has problems in the fields %j', (question, bad) => {
    expect(fields(() => parse(slotsInput, question))).toEqual(bad)
  })

  it.each([
    [{}, { du: '2027-05-31', au: '2027-06-13' }],
    [{ du: '2027-07-01' }, { du: '2027-07-01', au: '2027-07-14' }],
    [{ au: '2027-05-31' }, { du: '2027-05-31', au: '2027-05-31' }],
    [
      { du: '2027-01-01', au: '2027-04-02' },
      { du: '2027-01-01', au: '2027-04-02' },
    ],
    [{ du: '9999-12-30' }, { du: '9999-12-30', au: '9999-12-31' }],
  ])('with the days %j covers %j', (question, days) => {
    expect(comingDays(question, '2027-05-31')).toEqual(days)
  })

  it.each([{ du: '2027-06-02', au: '2027-06-01' }, { au: '2027-05-30' }, { du: '2027-01-01', au: '2027-04-03' }])(
    'with the days %j is refused',
    (question) => {
      expect(fields(() => comingDays(question, '2027-05-31'))).toEqual(['au'])
    },
  )
})
