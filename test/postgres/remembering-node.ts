// A node that treats read records of other cells as current for an hour: it sees their changes only where it reads them
// again.
import { OtherCellNames } from '../../snapshots/postgres/names.ts'
import { readEnvironment } from '../../src/config/environment.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { startService } from '../../src/service/service.ts'

const HOUR_MS = 3_600_000

const names = OtherCellNames.prototype
const fetch = Reflect.get(names, 'fetch') as (this: OtherCellNames, ...asked: Parameters<typeof names.fetch>) => unknown
Reflect.set(names, 'fetch', function fetchForAnHour(this: OtherCellNames, wanted: readonly string[]) {
  return fetch.call(this, wanted, HOUR_MS)
})
const service = await startService(loadSettings(readEnvironment()))
process.stdout.write(`holdfast ready ${service.url}\n`)
