// The command line: runs the command that the words name, and turns what goes wrong into a message and an exit code.
import { fail } from './cli/failure.ts'
import { runProgram } from './cli/program.ts'

runProgram(process.argv.slice(2)).catch(fail)
