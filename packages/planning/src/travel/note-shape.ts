import { named } from '@sav/core/feature'
import * as z from 'zod'
import { isNoteCode, noteSentences } from './notes.js'

export const noteShape = named(
  'Note',
  () =>
    z.object({
      code: z.enum(Object.keys(noteSentences).filter(isNoteCode)).describe('What there is to know, for programs.'),
      params: z.record(z.string(), z.union([z.string(), z.number()])).describe('What the message is filled in with.'),
      message: z.string().describe('The same in English.'),
    }),
  {
    code: 'poseur_not_working',
    params: { nom: 'Bruno Petit', id: 3 },
    message: 'Bruno Petit (3) does not work during all of this time.',
  },
)
