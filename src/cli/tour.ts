// `tour`: goes through the main functions of the service: accounts, a token, two owners, and transfers between them.
// Every balance is read from the chain and must be exact; the first deviation ends the tour with a failure.
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { ChainReader } from './chain-reader.ts'
import { findService } from './find-service.ts'
import { Printer } from './print.ts'
import { Rest } from './rest.ts'
import { TourFailed } from './tour-failed.ts'
import { walk } from './walk.ts'

/** The process ends with code 1 if a step or a balance is not as expected. */
export async function tour(settings: Settings): Promise<void> {
  const printer = new Printer()
  try {
    await using service = await findService(settings)
    printer.line(
      `Service ${service.url}${service.started ? ', started for this tour with temporary data' : ', already running'}`,
    )
    printer.line(`Chain   ${service.rpcUrl}`)
    await walk(new Rest(service.url, service.key), new ChainReader(service.rpcUrl), printer)
    printer.line('\nEvery step and every balance is as expected.', 'green')
  } catch (error) {
    if (!(error instanceof TourFailed)) throw error
    printer.line(`\nNot as expected: ${error.message}`, 'red')
    process.exitCode = EXIT_CODES.failure
  }
}
