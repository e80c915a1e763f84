import { globSync } from 'node:fs'
import { join } from 'node:path'
import { shapes } from '@sav/core/adapter'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { routes } from '../../../test/whole/routes.js'

/** A schema that takes a text, and its path. */
interface TextField {
  readonly at: string
  readonly schema: z.ZodType
}

const packages = join(import.meta.dirname, '../..')
const files = globSync('{core,field,insight,moving,people,planning}/src/**/*.ts', { cwd: packages }).filter(
  (file) =>
    !/\.(test|gen)\.ts$|\/(testing|kysely|routes|commands|engines|ical|providers)(\/|\.ts$)|\/(shapes?|feature|contract|index)\.ts$/.test(
      file,
    ),
)

/** Recognises a lazy schema by its source text: calling every export would have side effects. */
const isLazy = (value: unknown) => typeof value === 'function' && String(value) === String(shapes.lazily(() => null))

const schemaOf = (name: string, value: unknown) => (value instanceof z.ZodType ? [[name, value] as const] : [])

/**
 * All exports of the core and the features, so that no new input is forgotten. Schemas of answers are named `…Shape`.
 * `inputs.gen.ts` gives the same schemas other names.
 */
const modules: readonly object[] = await Promise.all(files.toSorted().map((file) => import(join(packages, file))))

const inputs: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ...modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      isLazy(value) && !name.endsWith('Shape') ? schemaOf(name, value()) : [],
    ),
  ),
  ...routes.flatMap((route) => {
    const taken =
      route.permission === null ? { form: route.form } : { query: route.query, body: route.body?.schema ?? null }
    return Object.entries(taken).flatMap(([part, schema]) =>
      schema === null ? [] : [[`${route.name} ${part}`, schema()] as const],
    )
  }),
]

/** Every text that a schema takes, at any depth. */
function textsOf(schema: z.core.$ZodType, at: string): TextField[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => textsOf(field, `${at}.${name}`))
  if (schema instanceof z.ZodArray) return textsOf(schema.element, `${at}[]`)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => textsOf(option, at))
  if (schema instanceof z.ZodRecord)
    // A browser's passkey answer is parsed by another library.
    return schema.valueType instanceof z.ZodUnknown
      ? []
      : [...textsOf(schema.keyType, `${at}{name}`), ...textsOf(schema.valueType, `${at}{value}`)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsOf(schema.unwrap(), at)
  if (schema instanceof z.ZodPipe) {
    // A pipe from a string is checked as a whole; any other pipe by its two ends.
    if (schema.in instanceof z.ZodString) return [{ at, schema }]
    return [...textsOf(schema.in, at), ...textsOf(schema.out, at)]
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return [{ at, schema }]
  if (isTextless(schema)) return []
  throw new Error(`${at}: this walk does not know a ${schema._zod.def.type}`)
}

/** Schemas that take no free text. */
const textless = new Set(['int', 'number', 'boolean', 'enum', 'literal', 'transform', 'unknown', 'custom', 'null'])
const isTextless = ({ _zod: { def } }: z.core.$ZodType) => textless.has(def.type)

/** Each text schema accepts at least one of these. */
const examples = [
  `whsec_${'A'.repeat(32)}`,
  'Porte abîmée, meuble haut',
  'Lyon',
  'oui',
  '12:00-14:00',
  '09:30',
  '2026-03-16',
  '2026-03-16T09:30:00+01:00',
  '12345678901234',
  '06 12 34 56 78',
  'a@b.example',
  'https://sav.example/photo.jpg',
  'Europe/Paris',
  '192.0.2.0/24',
  '#aabbcc',
  'a'.repeat(64),
  'X-Nom',
  Buffer.from(JSON.stringify(['audit', 2, '2026-03-16T09:30:00.000Z', 'aud_01KXXXXXXXXXXX'])).toString('base64url'),
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
]

/** Every control character (general category Cc), and the other characters that end a line. */
const controls = [...Array(0xa0).keys(), 0x2028, 0x2029]
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character))

/** An example with a character somewhere inside, where trimming leaves it. */
function* withInside(example: string, character: string): Generator<string> {
  const step = Math.ceil(example.length / 10)
  for (let at = 1; at < example.length; at += step) yield `${example.slice(0, at)}${character}${example.slice(at)}`
}

const takes = async (schema: z.ZodType, text: string) => (await schema.safeParseAsync(text)).success

/** Each schema once, under the first of its names. */
const texts = [
  ...new Map(
    inputs
      .flatMap(([name, schema]) => textsOf(schema, name))
      .map((text) => [text.schema, text] as const)
      .toReversed(),
  ).values(),
].toReversed()

/** What people write in several lines: what happened, what was done, an address as it is printed. */
const paragraphs = [
  // Cells of a spreadsheet, whose lines are joined before they are checked.
  ...['clientRow.id_externe', 'clientRow.email', 'clientRow.telephone', 'clientRow.ligne1', 'clientRow.acces'],
  // A part of a cursor, which the service itself has written.
  'textInPlace',
  // The text is compared with the service's kinds of events.
  'eventKind',
  'createCaseInput.description',
  'updateCaseInput.notes_internes',
  'reopenCaseInput.motif',
  'missedInput.compte_rendu',
  'interventionInput.compte_rendu',
  'commentInput.texte',
  'interventionInput.prochain.souhait',
  'closeCaseInput.resolution',
  'closeCaseInput.reserves[]',
  'interventionInput.cloture.vu',
  'addClientInput.adresse',
  'rdvAnswerInput.motif',
  'bookRdvInput.notes',
  'changeRdvInput.compte_rendu',
  'changeRdvInput.motif_annulation',
  'accountInput.adresse',
  'accountInput.assureur',
  'accountInput.mediateur',
  'accountInput.lieu.acces',
  'accountInput.textes_terrain[]',
]

it('only these texts accept control characters or line breaks', async () => {
  const ofSeveral: string[] = []
  for (const { at, schema } of texts) {
    const example = await firstOf(examples, (text) => takes(schema, text))
    expect(example, `${at} needs an example`).toBeDefined()
    for (const character of controls)
      for (const text of withInside(example ?? '', character))
        if ((await takes(schema, text)) && ofSeveral.at(-1) !== at) ofSeveral.push(at)
  }
  expect(ofSeveral.toSorted()).toEqual(paragraphs.toSorted())
})

async function firstOf<T>(values: readonly T[], holds: (value: T) => Promise<boolean>): Promise<T | undefined> {
  for (const value of values) if (await holds(value)) return value
  return undefined
}
