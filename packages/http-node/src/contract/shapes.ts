import { shapes } from '@sav/core'
import * as z from 'zod'

export const { named, exampleOf, instant, hash, reference, statut, priorite, typeProbleme, examples, lieu } = shapes
export const number = z.int().positive()
