// Replaces src/config/programs.ts in tests: a service in the process of a test starts built programs, as a built
// service does.
import { join } from 'node:path'
import { argumentsFor as argumentsForSources } from '../../src/config/programs.ts'
import { FOLDER } from './folder.ts'

export { PROJECT } from '../../src/config/programs.ts'

export const argumentsFor: typeof argumentsForSources = (program) => {
  const folder = process.env[FOLDER]
  return folder === undefined ? argumentsForSources(program) : [join(folder, `${program}.mjs`)]
}
