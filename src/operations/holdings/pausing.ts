// Checks from the record whether a mint can be paused or resumed.
import type { RecordState } from '../../engine/records/record.ts'
import { badRequest } from '../../contract/refusal.ts'

/** Throws 400 `EXTENSION_MISSING`, `ALREADY_PAUSED`, `NOT_PAUSED`. */
export function checkPausing({ value, context }: RecordState<'instrument'>, pause: boolean, pointer: string): void {
  if (context.paused === null) {
    throw badRequest(
      'EXTENSION_MISSING',
      'the instrument cannot be paused: it was created without a pausableAuthority',
      pointer,
    )
  }
  if ((value === 'paused') !== pause) return
  throw pause
    ? badRequest('ALREADY_PAUSED', 'the instrument is paused already', pointer)
    : badRequest('NOT_PAUSED', 'the instrument is not paused', pointer)
}
