import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type FieldProblem, ValidationError } from '../errors.js'
import { issueOf } from '../refusals/reason.js'
import { calendarDate, emailAddress, id, line, notAmong, parse, parseWith, shortText, text } from './validation.js'

/** Every field that the schema refuses, as callers see it; none if it accepts the input. */
function problems(schema: z.ZodType, input: unknown): readonly FieldProblem[] {
  try {
    parse(() => schema, input)
    return []
  } catch (error) {
    if (error instanceof ValidationError) return error.details
    throw error
  }
}

const fields = (schema: z.ZodType, input: unknown) => problems(schema, input).map(({ field }) => field)

const order = z.strictObject({
  id: id(),
  nom: text({ min: 1, max: 10 }),
  ton: z.enum(['mat', 'brillant']).optional(),
  pieces: z
    .array(z.strictObject({ nom: text({ min: 1, max: 10 }) }))
    .max(2)
    .default([]),
})

describe('a refused input', () => {
  it('lists problems of files in their order, whichever was read first', async () => {
    const last = Promise.withResolvers<void>()
    const file = z.string().transform(async (text, context) => {
      if (text === 'last') last.resolve()
      else await last.promise
      context.addIssue({ code: 'custom', message: issueOf(notAmong([text], text)) })
    })
    const refused = parseWith(() => z.object({ photos: z.array(file) }), { photos: ['first', 'last'] })
    await expect(refused).rejects.toMatchObject({
      details: [{ params: { allowed: 'first' } }, { params: { allowed: 'last' } }],
    })
  })

  it('names every bad field at once, nested and unknown ones by their path', () => {
    const input = { id: 0, nom: '', ton: 'satin', pieces: [{ nom: 'porte' }, { nom: '', taille: 3 }], nmo: 'x' }
    expect(fields(order, input).toSorted()).toEqual(['id', 'nmo', 'nom', 'pieces[1].nom', 'pieces[1].taille', 'ton'])
  })

  it.each([
    ['satin', 'satin'],
    ['', 'nothing'],
    [3, '3'],
    [null, 'null'],
    [['mat'], 'a list'],
    [{ mat: true }, 'an object'],
    ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ])('names the value that is not one of the allowed words: %j', (ton, found) => {
    expect(problems(order, { id: 1, nom: 'porte', ton })).toMatchObject([
      { field: 'ton', message: `must be one of mat, brillant (found ${found})` },
    ])
  })

  it('has one sentence for all problems', () => {
    expect(() => parse(() => order, { id: 1, nom: '', nmo: 1 })).toThrow(
      /^Validation failed: nom: .+; nmo: unknown field$/,
    )
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', ''])(
    'names the unknown field %j',
    (name) => {
      const input = JSON.parse(`{"id":1,"nom":"porte",${JSON.stringify(name)}:{"id":2}}`)
      expect(problems(order, input)).toMatchObject([{ field: name, message: 'unknown field' }])
    },
  )

  it('takes no required field from a __proto__ in the JSON', () => {
    expect(fields(order, JSON.parse('{"__proto__":{"id":1,"nom":"porte"}}')).toSorted()).toEqual([
      '__proto__',
      'id',
      'nom',
    ])
  })

  it('distinguishes a missing field from one of the wrong type', () => {
    expect(problems(order, {})).toMatchObject([
      { field: 'id', message: 'required' },
      { field: 'nom', message: 'required' },
    ])
    expect(problems(order, { id: '1', nom: 5, ton: 7, pieces: 'porte' })).toMatchObject([
      { field: 'id', message: expect.stringMatching(/number|integer/) },
      { field: 'nom', message: expect.stringContaining('a string') },
      { field: 'ton', message: expect.stringContaining('mat, brillant') },
      { field: 'pieces', message: expect.stringContaining('an array') },
    ])
  })

  it('names the required type', () => {
    for (const input of [null, [], 'text', 5, true, undefined]) expect(fields(order, input)).toEqual(['body'])
    expect(problems(order, [])).toMatchObject([{ message: 'must be an object' }])
    for (const nom of [null, true, {}, [], 1.5])
      expect(problems(order, { id: 1, nom })).toMatchObject([{ field: 'nom', message: 'must be a string' }])
  })
})

describe('an id', () => {
  const holder = z.strictObject({ id: id() })

  it.each([1, 2, 2 ** 53 - 1])('may be %d', (value) => {
    expect(parse(() => holder, { id: value })).toEqual({ id: value })
  })

  it.each([0, -1, 1.5, 2 ** 53, -(2 ** 53), 1e300, Number.NaN, Number.POSITIVE_INFINITY, '1', null, true, [1]])(
    'may not be %s',
    (value) => {
      expect(problems(holder, { id: value })).toMatchObject([
        { field: 'id', message: expect.stringMatching(/^must be/) },
      ])
    },
  )
})

describe('text', () => {
  const holder = z.strictObject({ mot: text({ min: 3, max: 5 }) })
  const accepts = (mot: string) => problems(holder, { mot }).length === 0

  it.each([
    ['letters', 'a'],
    ['accented letters', 'é'],
    ['emoji, which take two UTF-16 units', '🔧'],
    ['ideographs beyond the basic plane', '𠮷'],
  ])('is measured in characters: %s', (_, unit) => {
    expect([2, 3, 5, 6].map((length) => accepts(unit.repeat(length)))).toEqual([false, true, true, false])
  })

  it('is refused with its length and the bounds', () => {
    expect(problems(holder, { mot: '🔧'.repeat(6) })).toEqual([
      {
        field: 'mot',
        code: 'text_length',
        params: { min: 3, max: 5, found: 6 },
        message: 'must be 3 to 5 characters (found 6)',
      },
    ])
  })

  it('is trimmed before it is measured and kept', () => {
    expect(parse(() => holder, { mot: ' \t\n abc \u00a0\r\n' })).toEqual({ mot: 'abc' })
    expect(parse(() => holder, { mot: `${' '.repeat(10)}abcde${' '.repeat(10)}` })).toEqual({ mot: 'abcde' })
    expect(accepts(`ab${' '.repeat(5)}`)).toBe(false)
    expect(parse(() => holder, { mot: 'a b\nc' })).toEqual({ mot: 'a b\nc' })
  })

  it.each([
    ['NUL', 'ab\0cd'],
    ['a high surrogate alone', 'ab\ud83d'],
    ['a low surrogate alone', '\udd27ab'],
    ['surrogates in the wrong order', 'a\udd27\ud83da'],
  ])('with %s is refused', (_, mot) => {
    expect(fields(holder, { mot })).toEqual(['mot'])
  })

  it('may be empty without a minimum', () => {
    const free = z.strictObject({ mot: text({ max: 2 }) })
    expect(parse(() => free, { mot: '' })).toEqual({ mot: '' })
    expect(problems(free, { mot: 'abc' })).toMatchObject([{ field: 'mot', message: 'at most 2 characters (found 3)' }])
  })
})

describe('a calendar date', () => {
  const accepts = (value: unknown) => calendarDate().safeParse(value).success

  it.each(['2026-01-15', '2026-02-28', '2028-02-29', '2000-02-29', '2026-12-31'])('can be %s', (value) => {
    expect(accepts(value)).toBe(true)
  })

  it.each([
    '0000-01-01',
    '2100-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-1-15',
    '2026-01-15T00:00:00Z',
    '15/01/2026',
    '2026-01-15\n',
    '',
    20260115,
  ])('cannot be %j', (value) => {
    expect(accepts(value)).toBe(false)
  })
})

describe.each([
  ['a line', line({ max: 9 })],
  ['a short text', shortText(9)],
])('%s', (_, schema) => {
  const holder = z.strictObject({ nom: schema })

  it.each(['A B', 'A\u00a0B', 'Aé🔧', 'A\u200dB'])('can be %j', (nom) => {
    expect(parse(() => holder, { nom })).toEqual({ nom })
  })

  it.each(['\n', '\r\n', '\t', '\v', '\u001b', '\u001f', '\u007f', '\u0080', '\u009f', '\u2028', '\u2029'])(
    'cannot contain %j',
    (character) => {
      expect(problems(holder, { nom: `A${character}B` })).toMatchObject([
        { field: 'nom', message: 'must be one line, without control characters' },
      ])
    },
  )
})

it('spaces around a line are removed first', () => {
  expect(parse(() => z.strictObject({ nom: line({ max: 9 }) }), { nom: '\tDurand\r\n' })).toEqual({ nom: 'Durand' })
})

describe('an e-mail address', () => {
  it.each([
    ['claire@x.example', 'claire@x.example'],
    ['\u{A0} claire@x.example \n', 'claire@x.example'],
    ['claire@société.fr', 'claire@xn--socit-esab.fr'],
    ['claire@SOCIE\u{301}TE\u{301}.fr', 'claire@xn--socit-esab.fr'],
  ])('%j is kept as %s', (written, kept) => {
    expect(parse(emailAddress, written)).toBe(kept)
  })

  it.each([
    '',
    ' ',
    'claire',
    'claire@',
    'claire@soci été.fr',
    'claire@é/x.fr',
    'a\nb@x.example',
    `${'a'.repeat(65)}@x.example`,
    `a@${'é'.repeat(250)}.fr`,
  ])('cannot be %j', (written) => {
    expect(problems(emailAddress(), written)).toHaveLength(1)
  })
})
