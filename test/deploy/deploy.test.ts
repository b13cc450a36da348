// The files of src/deploy, checked with their tools where those are installed, and by rules of this test in any case.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXIT_CODES } from '../../src/config/exit-codes.ts'
import { DECLARATIONS } from '../../src/config/settings.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DEPLOY = join(ROOT, 'src', 'deploy')
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8')
const deployed = (name: string): string => read(DEPLOY, name)

function isInstalled(tool: string, ...words: string[]): boolean {
  return spawnSync(tool, words, { stdio: 'ignore' }).status === 0
}

const SETTINGS = new Set<string>(Object.values(DECLARATIONS).map(({ name }) => name))
const settingsIn = (text: string): string[] =>
  [...new Set(text.match(/\bHOLDFAST_[A-Z_]*[A-Z]\b/g) ?? [])].map((name) => name.replace(/_FILE$/, ''))

describe('the Dockerfile', () => {
  const text = deployed('Dockerfile')
  const stages = text.split(/^(?=FROM )/m).filter((stage) => stage.startsWith('FROM '))
  const instructions = (stage: string): string[] =>
    stage
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => /^[A-Z]+ /.test(line))
  const copied = instructions(stages[0]!)
    .filter((line) => line.startsWith('COPY '))
    .flatMap((line) => line.split(' ').slice(1, -1))

  it('builds in one stage what the other runs, as an unprivileged user with a health check', () => {
    expect(stages).toHaveLength(2)
    const last = instructions(stages[1]!)
    const order = last.map((line) => line.split(' ')[0])
    expect(last.filter((line) => line.startsWith('COPY '))).toEqual(['COPY --from=build /opt/holdfast ./'])
    expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
    // Nothing runs as this user at build time, and everything does at run time.
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'))
    for (const keyword of ['HEALTHCHECK', 'ENTRYPOINT', 'VOLUME', 'STOPSIGNAL']) expect(order).toContain(keyword)
    expect(text).toContain('npm ci --include=dev --ignore-scripts')
    expect(text).toContain('&& npm ci --omit=dev --ignore-scripts')
    expect(settingsIn(text).filter((name) => !SETTINGS.has(name))).toEqual([])
  })

  it('starts the service with the options of npm start, and copies only paths that exist', () => {
    const { scripts } = JSON.parse(read(ROOT, 'package.json')) as { scripts: { start: string } }
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)![1]!) as string[]
    expect(scripts.start).toContain(`exec ${entry.join(' ')} serve`)
    for (const path of copied) expect(existsSync(join(ROOT, path)), path).toBe(true)
  })

  it('copies what Dockerfile.dockerignore lets through, and nothing else', () => {
    const lines = deployed('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines[0]).toBe('*')
    const listed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(listed.sort()).toEqual([...copied].sort())
    for (const each of ['node_modules', 'dist', '*.log']) expect(lines).toContain(`**/${each}`)
  })

  it('copies all that a release is packed from', { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-image-'))
    try {
      for (const path of copied) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      expect(text).toMatch(/^RUN node src\/pack\.mjs \\$/m)
      execFileSync(process.execPath, ['src/pack.mjs'], { cwd: folder, stdio: 'pipe' })
      expect(readdirSync(folder).filter((name) => /^holdfast-[0-9].*\.tgz$/.test(name))).toHaveLength(1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('has a health check that runs in node and fails if nothing answers', () => {
    const check = JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(text)![1]!) as string[]
    const { status } = spawnSync(process.execPath, check.slice(1), { env: { HOLDFAST_PORT: '1' } })
    expect(status).toBe(1)
  })

  it('is accepted by docker, if docker runs and can check', () => {
    if (!isInstalled('docker', 'info') || !isInstalled('docker', 'build', '--check', '--help')) return
    execFileSync('docker', ['build', '--check', '-f', join(DEPLOY, 'Dockerfile'), ROOT], { stdio: 'pipe' })
  })

  it('builds an image that becomes healthy with a read-only root, if docker runs', { timeout: 900_000 }, async () => {
    if (!isInstalled('docker', 'info')) return
    const docker = (...words: string[]): string => execFileSync('docker', words, { encoding: 'utf8' }).trim()
    const image = docker('build', '--quiet', '--file', join(DEPLOY, 'Dockerfile'), ROOT)
    try {
      const container = docker('run', '--detach', '--read-only', '--tmpfs', '/tmp', '--volume', '/data', image)
      try {
        const health = (): string => docker('inspect', '--format', '{{.State.Health.Status}}', container)
        await expect.poll(health, { timeout: 120_000, interval: 1_000 }).toBe('healthy')
        expect(docker('exec', container, 'id', '-un')).toBe('node')
        const page = "fetch('http://127.0.0.1:8080/console').then(({ status }) => console.log(status))"
        expect(docker('exec', container, 'node', '-e', page)).toBe('200')
        docker('stop', '--time', '60', container)
        expect(docker('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0')
      } finally {
        docker('rm', '--force', '--volumes', container)
      }
    } finally {
      docker('image', 'rm', '--force', image)
    }
  })
})

it.each(['compose.yaml', 'compose-cluster.yaml'])('all containers of %s run again after a reboot', (name) => {
  const text = deployed(name)
  const policies = [...text.matchAll(/^ +restart: (.+)$/gm)].map(([, policy]) => policy)
  // Docker starts no container with `on-failure` when it starts itself.
  expect(new Set(policies)).toEqual(new Set(['unless-stopped']))
  const [, services = ''] = /^services:\n((?: {2}.*\n|\n)*)/m.exec(text) ?? []
  for (const [, service, body] of services.matchAll(/^ {2}(\w\S*):\n((?: {4}.*\n|\n| {2}#.*\n)*)/gm))
    expect(body, service).toMatch(/^ {4}(?:restart: |<<: \*node$)/m)
})

describe('the compose file', () => {
  const text = deployed('compose.yaml')
  const service = (name: string): string => new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(text)![1]!

  it('runs the service with a read-only root and no privileges, and publishes on loopback only', () => {
    const holdfast = service('holdfast')
    for (const line of ['read_only: true', 'init: true', '- ALL', '- no-new-privileges:true', '- data:/data', '- /tmp'])
      expect(holdfast).toContain(line)
    const published = [...text.matchAll(/^ {6}- (\S*\d+:\d+)$/gm)].map(([, port]) => port!)
    expect(published.length).toBeGreaterThanOrEqual(3)
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/)
    for (const [, image] of text.matchAll(/^ {4}image: (\S+\/\S+)$/gm)) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/)
    expect(settingsIn(text).filter((name) => !SETTINGS.has(name))).toEqual([])
  })

  it('mounts files that exist', () => {
    const mounted = [...text.matchAll(/^ {6}- (\.\.?\/[^:]+):/gm)].map(([, path]) => path!)
    expect(mounted.length).toBeGreaterThanOrEqual(5)
    for (const path of mounted) expect(existsSync(join(DEPLOY, path)), path).toBe(true)
  })

  it('is accepted by docker compose, if it is installed', () => {
    if (!isInstalled('docker', 'compose', 'version')) return
    execFileSync('docker', ['compose', '-f', join(DEPLOY, 'compose.yaml'), 'config', '--quiet'], { stdio: 'pipe' })
  })
})

describe('the compose file of a cluster', () => {
  const text = deployed('compose-cluster.yaml')

  it('runs three nodes with different ids and URLs on one database, with all secrets in files', () => {
    const nodes = [...text.matchAll(/^ {6}HOLDFAST_NODE_ID: (\S+)\n {6}HOLDFAST_NODE_URL: http:\/\/(\S+):8080$/gm)]
    expect(nodes.map(([, id]) => id)).toEqual(['node-1', 'node-2', 'node-3'])
    for (const [, id, host] of nodes) {
      expect(host).toBe(id)
      expect(text).toContain(`\n  ${id!}:\n    <<: *node\n`)
      expect(deployed('cluster-proxy.conf')).toContain(`server ${id!}:8080 resolve;`)
    }
    for (const name of ['NODE_SECRET', 'MASTER_KEY', 'BOOTSTRAP_KEY', 'STORE_PASSWORD'])
      expect(text).toContain(`HOLDFAST_${name}_FILE: /run/secrets/`)
    expect(settingsIn(text).filter((name) => !SETTINGS.has(name))).toEqual([])
  })

  it('has a proxy that starts while a node is down, and passes on what reached none', () => {
    const proxy = deployed('cluster-proxy.conf')
    // A name that nginx resolves only at its start must exist then, and keeps the address of that time.
    expect(proxy.match(/^ +server [^;]+;$/gm)).toHaveLength(3)
    expect(proxy.match(/^ +server \S+ resolve;$/gm)).toHaveLength(3)
    expect(proxy).toMatch(/^ +zone \w+ \d+k;\n +resolver 127\.0\.0\.11 /m)
    expect(proxy).toContain('proxy_next_upstream error timeout;')
    const [, version] = /^ {4}image: nginx:1\.(\d+)\./m.exec(text)!
    expect(Number(version)).toBeGreaterThan(27)
  })

  it('publishes on loopback only, pins images to one version, and mounts files that exist', () => {
    const published = [...text.matchAll(/^ {6}- (\S*\d+:\d+)$/gm)].map(([, port]) => port!)
    expect(published).toEqual(['127.0.0.1:8080:8080'])
    for (const [, image] of text.matchAll(/^ {4}image: (\S+:\S+)$/gm)) expect(image).toMatch(/:\d+(?:\.\d+)+$/)
    for (const [, path] of text.matchAll(/^ {6}- (\.\/[^:]+):/gm))
      expect(existsSync(join(DEPLOY, path!)), path).toBe(true)
  })

  it('mounts volumes where the image has a directory owned by its user', () => {
    const [, directories = ''] = /^RUN install -d -o node -g node -m 0700 (.+)$/m.exec(deployed('Dockerfile')) ?? []
    const mounted = [...text.matchAll(/^ {4,6}- (?:keys|chain):(\/\S+)$/gm)].map(([, path]) => path!)
    expect(mounted).toEqual(['/keys', '/data'])
    expect(directories.split(' ')).toEqual(expect.arrayContaining(mounted))
    expect(text).toContain('HOLDFAST_SECRETS_DIR: /keys\n')
  })

  it('is accepted by docker compose, if it is installed', () => {
    if (!isInstalled('docker', 'compose', 'version')) return
    execFileSync('docker', ['compose', '-f', join(DEPLOY, 'compose-cluster.yaml'), 'config', '--quiet'], {
      stdio: 'pipe',
    })
  })
})

describe('the systemd unit', () => {
  const text = deployed('holdfast.service')
  const value = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]

  it('does not restart after permanent errors, and lets a stop drain', () => {
    const { usage, damaged, settings } = EXIT_CODES
    expect(value('RestartPreventExitStatus')).toBe([usage, damaged, settings].join(' '))
    expect([value('Restart'), value('KillMode')]).toEqual(['on-failure', 'mixed'])
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(30)
    expect(settingsIn(text).filter((name) => !SETTINGS.has(name))).toEqual([])
  })

  it('starts the service with the options of npm start', () => {
    const { scripts } = JSON.parse(read(ROOT, 'package.json')) as { scripts: { start: string } }
    expect(scripts.start).toContain(`exec ${value('ExecStart')!.replace('/usr/bin/', '')}`)
  })

  it('is hardened: systemd-analyze reports no error and little exposure', () => {
    if (!isInstalled('systemd-analyze', '--version')) return
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-unit-'))
    try {
      const unit = join(folder, 'holdfast.service')
      // The paths and the user of the unit exist only where it is installed.
      writeFileSync(
        unit,
        text
          .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
          .replace(/^WorkingDirectory=.*$/m, 'WorkingDirectory=/'),
      )
      const result = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', unit], {
        encoding: 'utf8',
      })
      const faults = result.stderr
        .split('\n')
        .filter((line) => line.includes('holdfast.service') && !line.includes('Failed to'))
      expect(faults).toEqual([])
      const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', unit], {
        encoding: 'utf8',
      })
      expect(security.status, security.stdout.split('\n').slice(-3).join('\n') + security.stderr).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

interface Alert {
  readonly name: string
  readonly members: ReadonlyMap<string, string>
}

/** The alerts as they are written here: each member on its own line. */
function alertsIn(text: string): Alert[] {
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((part) => {
      const [name, ...lines] = part.split('\n')
      const members = lines.flatMap((line) => {
        const [, key, value] = /^ {8,10}([a-z]+): (.+)$/.exec(line) ?? []
        return key === undefined ? [] : [[key, value!.replace(/^"(.*)"$/, '$1')] as const]
      })
      return { name: name!.trim(), members: new Map(members) }
    })
}

describe('the alerts', () => {
  const alerts = alertsIn(deployed('alerts.yml'))
  const situations = [...read(ROOT, 'src', 'docs', 'runbook.md').matchAll(/^\| (?!Situation|-)(.+?) \| /gm)].map(
    ([, name]) => name!,
  )
  /** Situations without a metric, or that are no fault. */
  const UNMEASURED = new Set([
    ...['The master key is lost', 'The data are damaged', 'Restoring'],
    'The database has lost history',
    'An API key is stolen',
    'Approvers of a policy are lost',
  ])

  it('are complete, and each names its row of the runbook', () => {
    expect(alerts.length).toBeGreaterThanOrEqual(12)
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
    for (const { name, members } of alerts) {
      expect([...members.keys()], name).toEqual(expect.arrayContaining(['expr', 'severity', 'summary', 'runbook']))
      expect(['warning', 'critical']).toContain(members.get('severity'))
      expect(situations, name).toContain(members.get('runbook'))
    }
    const runbooks = new Set(alerts.map(({ members }) => members.get('runbook')))
    expect(situations.filter((situation) => !runbooks.has(situation) && !UNMEASURED.has(situation))).toEqual([])
  })

  it('query only metrics that the service exports', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    )
    const declared = new Set(
      sources
        .flatMap((path) => read(ROOT, 'src', path).match(/'holdfast_\w+'/g) ?? [])
        .map((name) => name.slice(1, -1)),
    )
    for (const { name, members } of alerts) {
      const metrics = members.get('expr')!.match(/\bholdfast_\w+/g) ?? []
      for (const metric of metrics)
        expect(declared, `${name}: ${metric}`).toContain(metric.replace(/_(?:bucket|count|sum)$/, ''))
      const count = (sign: string): number => members.get('expr')!.split(sign).length - 1
      expect(count('('), name).toBe(count(')'))
    }
  })

  it('and the configuration of Prometheus are accepted by promtool, if it is installed', () => {
    if (!isInstalled('promtool', '--version')) return
    execFileSync('promtool', ['check', 'rules', join(DEPLOY, 'alerts.yml')], { stdio: 'pipe' })
    execFileSync('promtool', ['check', 'config', join(DEPLOY, 'prometheus.yml')], { stdio: 'pipe' })
  })
})
