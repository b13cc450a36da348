/** Environment variable with the folder of the programs that build.ts has built. */
export const FOLDER = 'BUILT_PROGRAMS'
