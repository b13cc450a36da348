// The text of --help: the commands, and every setting with its default.
import { DECLARATIONS, PLAYER_KEY } from './settings.ts'

const COMMANDS = [
  ['serve', 'the service (the default)'],
  ['localnet', 'the embedded chain alone, with the same settings'],
  ['tour', 'a walk through the service on a chain of its own'],
  ['audit verify', 'checks the audit log in a data directory: --data-dir DIR, --public-key KEY, --json'],
  ['keys rotate-master', 'another master key; a running service goes on meanwhile'],
] as const

export function helpText(): string {
  const commands = COMMANDS.map(([name, about]) => `  ${name.padEnd(20)}${about}`)
  const settings = Object.values(DECLARATIONS).flatMap(({ name, fallback, about }) => [
    `  ${name}${fallback === null ? '' : `  [${fallback === '' ? 'empty' : fallback}]`}`,
    `      ${about}`,
  ])
  return [
    'holdfast [serve|localnet|tour|audit verify|keys rotate-master] [--help|--version]',
    '',
    'Commands:',
    ...commands,
    '',
    'Settings, as environment variables, with their [defaults]:',
    ...settings,
    `  ${PLAYER_KEY.name}`,
    `      ${PLAYER_KEY.about}`,
    '',
    'Exit codes: 0 stopped as asked, 64 command line, 74 failed write, 75 data directory held, 78 settings.',
  ].join('\n')
}
