// Arguments of the commands for developers: `npm run sim`, `npm run mutants`,
// `npm run cluster`, `npm run client` and `npm run bench`.

/** Exit code of wrong arguments, as of `holdfast` (sysexits.h). */
const EX_USAGE = 64

/**
 * The arguments of the process, as `read` returns them. Prints the usage and ends the process for `--help`, and for
 * arguments for which `read` throws.
 */
export function readArguments<Options>(usage: string, read: (args: readonly string[]) => Options): Options {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return read(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`)
    process.exit(EX_USAGE)
  }
}

/** A whole number of an option. Throws an error that names the option. */
export function wholeNumber(option: string, text: string, most: number, least = 1): number {
  const value = Number(text)
  if (text === '' || !Number.isInteger(value) || value < least || value > most)
    throw new Error(`\`--${option}\` must be a whole number from ${least} to ${most}`)
  return value
}
