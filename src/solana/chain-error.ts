// Formats a transaction error of a cluster as one line for people and programs.

/**
 * The error's compact JSON and, in brackets, the same in words: `{"InstructionError":[2,{"Custom":1}]} (instruction 3:
 * custom program error 0x1)`. Instructions are counted from 1 in the words, from 0 in the JSON.
 */
export function describeTransactionError(error: unknown): string {
  const json = JSON.stringify(error)
  return `${json} (${inWords(error)})`
}

function inWords(error: unknown): string {
  if (typeof error === 'string') return words(error)
  const [name, detail] = Object.entries(error as Record<string, unknown>)[0] ?? ['unknown', null]
  if (name === 'InstructionError' && Array.isArray(detail)) {
    const [index, cause] = detail as [unknown, unknown]
    return `instruction ${Number(index) + 1}: ${inWords(cause)}`
  }
  if (name === 'Custom') return `custom program error 0x${Number(detail).toString(16)}`
  return words(name)
}

/** `InsufficientFundsForFee` -> `insufficient funds for fee`. */
function words(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()
}
