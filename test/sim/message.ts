// The message inside a transaction's bytes: shortvec count of signatures, 64 bytes each, then the message.

export function messageOf(transaction: Uint8Array): { readonly bytes: Uint8Array; readonly signatures: number } {
  const signatures = transaction[0]!
  return { bytes: transaction.subarray(1 + signatures * 64), signatures }
}
