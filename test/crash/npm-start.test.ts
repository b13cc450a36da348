// The usual way to run the service: a signal to npm must reach the service itself, not a shell between them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('npm start drains and exits with 0 when npm receives SIGTERM', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-npm-'))
  const settings = {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_EMBEDDED_RPC_PORT: '0',
    HOLDFAST_LOG_LEVEL: 'error',
  }
  const npm = spawn('npm', ['run', '--silent', 'start'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const exit = once(npm, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    let output = ''
    for await (const chunk of npm.stdout) {
      output += String(chunk)
      if (output.includes('\n')) break
    }
    const [, url = ''] = /^holdfast ready (http:\S+)$/m.exec(output) ?? []
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    npm.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    await expect(fetch(`${url}/livez`)).rejects.toThrow()
  } finally {
    npm.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})
