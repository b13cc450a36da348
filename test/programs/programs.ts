// Replaces src/config/programs.ts in tests: a service in the process of a test starts built programs, as a built
// service does.
import { join } from 'node:path'
import { wordsFor as wordsForSources } from '../../src/config/programs.ts'
import { FOLDER } from './folder.ts'

export { PROJECT } from '../../src/config/programs.ts'

export const wordsFor: typeof wordsForSources = (program) => {
  const folder = process.env[FOLDER]
  return folder === undefined ? wordsForSources(program) : [join(folder, `${program}.mjs`)]
}
