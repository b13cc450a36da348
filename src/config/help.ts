// The part of --help generated from the settings: each with its default, and the exit codes.
import type { Declaration } from './declaration.ts'
import { DECLARATIONS, PLAYER_KEY } from './settings.ts'

const inFile = (name: string): string => `or ${name}_FILE: a file that holds it`

export function settingsHelp(): string {
  const settings = Object.values<Declaration<unknown>>(DECLARATIONS).flatMap(({ name, fallback, about, secret }) => [
    `  ${name}${fallback === null ? '' : `  [${fallback === '' ? 'empty' : fallback}]`}`,
    `      ${about}`,
    ...(secret === true ? [`      ${inFile(name)}`] : []),
  ])
  return [
    'Settings, as environment variables, with their [defaults]:',
    ...settings,
    `  ${PLAYER_KEY.name}`,
    `      ${PLAYER_KEY.about}`,
    `      ${inFile(PLAYER_KEY.name)}`,
    '',
    'Exit codes: 0 done, or stopped as asked, 1 failure, 64 command line, 65 damaged data, 69 not reachable, 73 place is taken,',
    '74 failed write, 75 data directory or node id held, 76 another node owns the data, 78 settings.',
  ].join('\n')
}
