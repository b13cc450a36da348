// The service as `npm start` runs it: a process, ready after its ready line, ended by SIGTERM.
import { setTimeout as delay } from 'node:timers/promises'
import { startCommand } from '../config/command-line.ts'
import { freshFixture, type EngineFixture } from './free-ports.ts'

export interface ServiceProcess extends AsyncDisposable {
  readonly fixture: EngineFixture
  readonly url: string
  readonly rpcUrl: string
}

/** @param settings that replace the defaults, by their full names */
export async function startProcess(settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const fixture = await freshFixture()
  // A request waits for the chain on a busy machine too, instead of answering before it.
  const patient = { HOLDFAST_RESPONSE_WAIT_MS: '60000' }
  const { child, ended, stdout } = startCommand(['serve'], { ...fixture.environment, ...patient, ...settings })
  const failure = ended.then(({ code, stderr }) => {
    throw new Error(`the service ended with code ${String(code)}: ${stderr}`)
  })
  while (!stdout().includes('holdfast ready')) await Promise.race([failure, delay(50)])
  return {
    fixture,
    url: `http://127.0.0.1:${fixture.port}`,
    rpcUrl: `http://127.0.0.1:${fixture.rpcPort}`,
    async [Symbol.asyncDispose]() {
      failure.catch(() => undefined)
      child.kill('SIGTERM')
      await ended
      fixture[Symbol.dispose]()
    },
  }
}
