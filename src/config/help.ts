// The text of --help that the settings make: every one with its default, and the exit codes.
import { DECLARATIONS, PLAYER_KEY } from './settings.ts'

export function settingsHelp(): string {
  const settings = Object.values(DECLARATIONS).flatMap(({ name, fallback, about }) => [
    `  ${name}${fallback === null ? '' : `  [${fallback === '' ? 'empty' : fallback}]`}`,
    `      ${about}`,
  ])
  return [
    'Settings, as environment variables, with their [defaults]:',
    ...settings,
    `  ${PLAYER_KEY.name}`,
    `      ${PLAYER_KEY.about}`,
    '',
    'Exit codes: 0 done, or stopped as asked, 1 failure, 64 command line, 65 damaged data, 69 not reachable, 73 place is taken,',
    '74 failed write, 75 data directory held, 78 settings.',
  ].join('\n')
}
