/** Accounts that the runtime keeps itself. */
import { AccountBytes } from './account-bytes.ts'

const UNIX_TIMESTAMP_OFFSET = 32

/**
 * The time programs go by, Unix seconds.
 * @param data of the Clock sysvar: slot, start of the epoch, epoch, leader schedule epoch, time
 * @throws FormatError LAYOUT_MALFORMED
 */
export function clockSeconds(data: Uint8Array): bigint {
  return new AccountBytes(data).i64(UNIX_TIMESTAMP_OFFSET)
}
