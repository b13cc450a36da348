// A node that does not check its own lease: only the fence of a commit shows it that another node owns the cell.
import { readEnvironment } from '../../../src/config/environment.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { startService } from '../../../src/service/service.ts'

const service = await startService(loadSettings(readEnvironment()), { checksOwnLease: false })
process.stdout.write(`holdfast ready ${service.url}\n`)
