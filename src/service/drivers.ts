// The drivers of work that takes several transactions or waits for its time. They continue what an earlier process
// began.
import { PlanDriver } from '../operations/background/plan-driver.ts'
import { BatchDriver } from '../operations/batches/driver.ts'
import type { WorkLog } from '../operations/context/background-work.ts'
import type { Platform } from '../operations/context/platform.ts'
import { DistributionDriver } from '../operations/distributions/driver.ts'
import { PaymentWatcher } from '../operations/payment-requests/watcher.ts'
import { ScheduleDriver } from '../operations/schedules/driver.ts'
import type { ServiceClock } from '../time/service-clock.ts'
import type { Undo } from './undo.ts'

export interface Drivers {
  readonly schedules: ScheduleDriver
  readonly payments: PaymentWatcher
  /** Resolves when no driver works. */
  stop(): Promise<void>
}

interface DriverPlace {
  readonly clock: ServiceClock
  readonly log: WorkLog
  readonly undo: Undo
  /** Maximum number of items of a batch of a distribution. Absent: as many as any batch may have. */
  readonly distributionBatchItems?: number | undefined
}

export function resumeDrivers(platform: Platform, { clock, log, undo, distributionBatchItems }: DriverPlace): Drivers {
  const resume = <Driver extends { resume(): void; stop(): Promise<void> }>(driver: Driver): Driver => {
    undo.stopping(driver).resume()
    return driver
  }
  const plans = resume(new PlanDriver(platform, clock, log))
  const batches = resume(new BatchDriver(platform, clock, log))
  const distributions = resume(new DistributionDriver(platform, clock, log, distributionBatchItems))
  const schedules = resume(new ScheduleDriver(platform, clock, log))
  const payments = resume(new PaymentWatcher(platform, clock, log))
  return {
    ...{ schedules, payments },
    async stop() {
      for (const each of [plans, distributions, batches, schedules, payments]) await each.stop()
    },
  }
}
