// Moves a tenant between cells, or finishes an interrupted move, and is killed after a number of durable steps.
// Arguments: the folder of the cells, `move` or `finish`, and the number of steps; 0: until it ends.
import { join } from 'node:path'
import { openCellDirectories } from '../../../snapshots/cells/directories.ts'
import { finishMove, moveTenantRows, type MoveOptions } from '../../../snapshots/cells/moving.ts'
import { MOVE, merge } from './moved.ts'

const [folder = '', what = '', lives = '0'] = process.argv.slice(2)
let remaining = Number(lives)
const options: MoveOptions = {
  merged: merge,
  onStep(step) {
    process.stdout.write(`${step}\n`)
    remaining -= 1
    if (remaining === 0) process.kill(process.pid, 'SIGKILL')
  },
}
const directories = await openCellDirectories({ store: join(folder, 'store'), cells: join(folder, 'cells') }, 'alone')
if (what === 'move') await moveTenantRows(directories, MOVE, options)
else await finishMove(directories, options)
await directories.close()
