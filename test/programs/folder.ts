/** Variable of the environment that names the folder of what build.ts has built. */
export const FOLDER = 'BUILT_PROGRAMS'
