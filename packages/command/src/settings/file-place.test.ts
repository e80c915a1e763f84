import { expect, it } from 'vitest'
import { parseFilePlace } from './file-place.js'

it.each([
  ['s3://photos', 'photos', ''],
  ['s3://photos/', 'photos', ''],
  ['s3://photos/sav', 'photos', 'sav/'],
  ['s3://photos/sav/2026/', 'photos', 'sav/2026/'],
])('%s is the bucket %s below %j', (text, bucket, prefix) => {
  expect(parseFilePlace(text)).toEqual({ kind: 's3', bucket, prefix })
})

it.each([
  's3://',
  's3://ab',
  's3://Photos',
  's3://photos//',
  's3://photos/a//b',
  's3://photos/../x',
  's3://photos/.a',
  'ftp://x',
])('%s is not a place for files', (text) => expect(parseFilePlace(text)).toBeUndefined())
