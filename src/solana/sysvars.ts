/** Sysvars: accounts maintained by the runtime. */
import { AccountBytes } from './account-bytes.ts'

const UNIX_TIMESTAMP_OFFSET = 32

/**
 * The on-chain clock in Unix seconds.
 * @param data of the Clock sysvar: slot, start of the epoch, epoch, leader schedule epoch, time
 * @throws FormatError LAYOUT_MALFORMED
 */
export function clockSeconds(data: Uint8Array): bigint {
  return new AccountBytes(data).i64(UNIX_TIMESTAMP_OFFSET)
}
