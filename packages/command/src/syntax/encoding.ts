import { FieldOption } from './field-command.js'

/** The single-byte encodings in which French tables are saved. */
export const singleByteEncodings = ['windows-1252', 'iso-8859-15', 'cp850', 'macintosh'] as const
/** One of them. */
export type SingleByteEncoding = (typeof singleByteEncodings)[number]

/** `--encoding`, for a file to read. */
export const encodingOption = () =>
  new FieldOption(
    '--encoding <name>',
    'how the letters of a file that is neither UTF-8 nor UTF-16 are encoded, if they do not show it (cp850: MS-DOS)',
  ).choices([...singleByteEncodings])
