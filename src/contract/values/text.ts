// Text members and their limits. Control characters and lone surrogates are rejected, because text ends up in keys and
// logs.
import { z } from 'zod'
import { rule } from './rule.ts'

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
const UNPRINTABLE_BUT_LINES = /[^\P{Cc}\n\r\t]|\p{Cs}/u
/** More than any transaction can hold: a memo that does not fit is rejected with the size of the transaction. */
const MEMO_BYTES = 4096

export const NAME_LENGTH = 255
export const COMMENT_LENGTH = 4096
export const URI_LENGTH = 2048
const EVIDENCE_LENGTH = 1024

/** Counts characters, as `max` of the schemas does: a character may be two UTF-16 units. */
export function isLongerThan(max: number, text: string): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max)
}

function printable(pattern: RegExp): z.core.$ZodCheck<string> {
  return rule((value) =>
    pattern.test(value)
      ? { code: 'INVALID_TEXT', message: 'control characters and lone surrogates are not allowed' }
      : undefined,
  )
}

const oneLine = printable(UNPRINTABLE)
const manyLines = printable(UNPRINTABLE_BUT_LINES)

/** A code, a name or an external id: one line, 1 to 255 characters. */
export const name = z.string().min(1).max(NAME_LENGTH).check(oneLine)

/** One line of up to `max` characters; may be empty. */
export function line(max: number) {
  return z.string().max(max).check(oneLine)
}

/** Non-empty text of several lines: 1 to 1024 characters. */
export const evidence = z.string().min(1).max(EVIDENCE_LENGTH).check(manyLines)

/** Text of several lines, up to 4096 characters. */
export const comment = z.string().max(COMMENT_LENGTH).check(manyLines)

/** Text of several lines, 1 to `max` characters. */
export function lines(max: number) {
  return z.string().min(1).max(max).check(manyLines)
}

/** Text of a memo instruction. */
export const memo = z
  .string()
  .max(MEMO_BYTES)
  .check(manyLines)
  .check(
    rule((value) =>
      value.length * 3 > MEMO_BYTES && Buffer.byteLength(value) > MEMO_BYTES
        ? { code: 'TOO_LONG', message: `at most ${MEMO_BYTES} bytes of UTF-8` }
        : undefined,
    ),
  )
  .meta({ description: `At most ${MEMO_BYTES} bytes of UTF-8.` })

/** A URI that is stored, not fetched. */
export const uri = line(URI_LENGTH)

/** A URL that the service calls. The operation, which knows the settings, checks whether the target is allowed. */
export const calledUrl = line(URI_LENGTH)
  .check(
    rule((text) => {
      const url = URL.canParse(text) ? new URL(text) : null
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
        return {
          code: 'MALFORMED_URL',
          message: 'must be an absolute URL with https (http only where this server lists the target)',
        }
      }
      if (url.username !== '' || url.password !== '')
        return { code: 'MALFORMED_URL', message: 'must not hold a user name or password' }
      return undefined
    }),
  )
  .meta({ format: 'uri' })

/** ISO 8601 with a zone. */
export const timestamp = z.iso.datetime({ offset: true })
