// A process that writes a given number of lines, and `full` to its error output while they are not read.
import { writeSync } from 'node:fs'
import { say } from './say.ts'

let isTold = false
const full = (): void => {
  if (!isTold) writeSync(2, 'full\n')
  isTold = true
}
for (let line = 0; line < Number(process.argv[2]); line += 1) say(String(line), full)
