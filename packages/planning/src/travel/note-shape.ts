import { named } from '@sav/core/feature'
import * as z from 'zod'
import { isNoteCode, noteSentences } from './notes.js'

export const noteShape = named(
  'Note',
  () =>
    z.object({
      code: z.enum(Object.keys(noteSentences).filter(isNoteCode)).describe('The code of the note, for programs.'),
      params: z.record(z.string(), z.union([z.string(), z.number()])).describe('The values in the message.'),
      message: z.string().describe('The message in English.'),
    }),
  {
    code: 'poseur_not_working',
    params: { nom: 'Bruno Petit', id: 3 },
    message: 'Bruno Petit (3) does not work during all of this time.',
  },
)
