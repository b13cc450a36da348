// The disk of a simulated world: writes take time, so that a crash finds them pending, and sometimes one fails.
import type { Disk } from '../../snapshots/disk.ts'
import type { SimulatedDisk } from '../snapshots/simulated-disk.ts'
import type { Random } from './random.ts'
import type { Tally } from './audits/tally.ts'
import type { Life, Time } from './time.ts'

/** The disk as the process of this life sees it. `failing`: probability that a write fails. */
export function slowDisk(
  disk: SimulatedDisk,
  time: Time,
  life: Life,
  random: Random,
  tally: Tally,
  failing: () => number,
): Disk {
  const attached = disk.attach()
  return {
    ...attached,
    write(ops, options) {
      disk.hold()
      if (random.chance(failing()) && tally.fault('disk write failed')) disk.failNext(random.chance(0.5))
      const writing = attached.write(ops, options)
      time.plan(random.chance(0.02) ? random.between(50, 2_000) : random.between(0.2, 8), () => disk.release(), life)
      return writing
    },
  }
}
