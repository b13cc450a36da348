// The operation of a batch: of the option, or of the member `operation` of every row of the file.
import { EXIT_CODES } from '../../config/exit-codes.ts'
import type { ImportItem } from '../../import-files/items.ts'
import { CommandFailed } from '../command-failed.ts'

interface Rows {
  readonly path: string
  readonly items: readonly ImportItem[]
}

/** The operation, and the items without it. Throws CommandFailed, which names the file, the line and the rule. */
export function takeOperation(
  { path, items }: Rows,
  option: string | undefined,
): { readonly operation: string; readonly items: readonly ImportItem[] } {
  const refuse = (line: number, message: string): CommandFailed =>
    new CommandFailed(`${path}: line ${line}: \`operation\` ${message}`, EXIT_CODES.usage)
  let chosen = option
  const rest = items.map(({ line, itemData }) => {
    const { operation, ...members } = itemData
    const value = operation ?? option
    if (value === undefined) throw refuse(line, 'is required in every row, or --operation for all rows')
    if (typeof value !== 'string') throw refuse(line, 'must be a string')
    chosen ??= value
    if (value !== chosen)
      throw refuse(line, differenceText(value, chosen, option === undefined ? items[0]!.line : null))
    return { line, itemData: members }
  })
  return { operation: chosen!, items: rest }
}

/** @param firstLine the row that has the other operation; null: the option has it */
function differenceText(value: string, chosen: string, firstLine: number | null): string {
  return firstLine === null
    ? `is ${value}, and --operation is ${chosen}: both must agree`
    : `is ${value}, and ${chosen} in line ${firstLine}: a batch has one operation`
}
