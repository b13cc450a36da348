// In the place of src/config/programs.ts, for tests: a service in the process of a test starts built programs, as one
// that is built does itself.
import { join } from 'node:path'
import { wordsFor as wordsForSources } from '../../src/config/programs.ts'
import { FOLDER } from './folder.ts'

export { PROJECT } from '../../src/config/programs.ts'

export const wordsFor: typeof wordsForSources = (program) => {
  const folder = process.env[FOLDER]
  return folder === undefined ? wordsForSources(program) : [join(folder, `${program}.mjs`)]
}
