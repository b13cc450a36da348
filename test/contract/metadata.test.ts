// Names and texts of metadata are counted in characters, as all texts are: a character may be two UTF-16 units.
import { expect, it } from 'vitest'
import { textMetadata } from '../../src/contract/values/metadata.ts'

const EMOJI = '\u{1f600}'

it.each([
  ['a name of 255 characters', { [EMOJI.repeat(255)]: '' }, true],
  ['a name of 256 characters', { [EMOJI.repeat(256)]: '' }, false],
  ['a text of 4096 characters', { text: EMOJI.repeat(4096) }, true],
  ['a text of 4097 characters', { text: EMOJI.repeat(4097) }, false],
  ['a text of 4097 characters of one unit', { text: 'x'.repeat(4097) }, false],
])('%s', (_what, metadata, isValid) => {
  expect(textMetadata.safeParse(metadata).success).toBe(isValid)
})
