import { EXIT_CODES } from '../../config/exit-codes.ts'
import { CommandFailed } from '../command-failed.ts'

/** Names of cells appear in keys, in labels of metrics, in names of directories and in commands. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?$/
const NAME_RULE = '1 to 40 letters, digits and hyphens, with no hyphen at either end'

export function requireCellName(cell: string): void {
  if (!NAME.test(cell)) throw new CommandFailed(`a cell has a name of ${NAME_RULE}`, EXIT_CODES.usage)
}
