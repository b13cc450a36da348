// A node to which the records of other cells that it has read once are current for an hour: it sees them change only
// where it reads them anew.
import { NamesElsewhere } from '../../snapshots/postgres/names.ts'
import { readEnvironment } from '../../src/config/environment.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { startService } from '../../src/service/service.ts'

const HOUR_MS = 3_600_000

const names = NamesElsewhere.prototype
const fetch = Reflect.get(names, 'fetch') as (this: NamesElsewhere, ...asked: Parameters<typeof names.fetch>) => unknown
Reflect.set(names, 'fetch', function fetchForAnHour(this: NamesElsewhere, wanted: readonly string[]) {
  return fetch.call(this, wanted, HOUR_MS)
})
const service = await startService(loadSettings(readEnvironment()))
process.stdout.write(`holdfast ready ${service.url}\n`)
