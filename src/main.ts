// The command line: runs a command, and turns errors into a message and an exit code.
import { fail } from './cli/failure.ts'
import { runProgram } from './cli/program.ts'

runProgram(process.argv.slice(2)).catch(fail)
