// The YAML files of src/deploy, parsed as the tools parse them: complete, without duplicate or unknown keys, and with
// valid references. It runs where none of the tools is installed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { nodeIdentity } from '../../src/config/node-settings.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'

/** It has no types. Refuses duplicate keys. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown }
const DEPLOY = join(import.meta.dirname, '..', '..', 'src', 'deploy')
const yaml = (name: string): unknown => load(readFileSync(join(DEPLOY, name), 'utf8'))

const duration = z.string().regex(/^\d+[smh]$/)
const texts = z.array(z.string())
const rule = z.strictObject({
  alert: z.string().regex(/^Holdfast[A-Za-z]+$/),
  expr: z.string(),
  for: duration.optional(),
  labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
})
const alerts = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1),
})
const prometheus = z.strictObject({
  global: z.strictObject({ scrape_interval: duration, evaluation_interval: duration }),
  rule_files: texts,
  scrape_configs: z.array(
    z.strictObject({ job_name: z.string(), static_configs: z.array(z.strictObject({ targets: texts })) }),
  ),
})
const composed = z.strictObject({
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string(),
  command: z.union([z.string(), texts]).optional(),
  entrypoint: texts.optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  user: z.string().optional(),
  tmpfs: texts.optional(),
  cap_drop: texts.optional(),
  cap_add: texts.optional(),
  security_opt: texts.optional(),
  stop_grace_period: duration.optional(),
  restart: z.string().optional(),
  ulimits: z.strictObject({ nofile: z.number() }).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  depends_on: z
    .union([texts, z.record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) }))])
    .optional(),
  healthcheck: z.strictObject({ test: texts, interval: duration, timeout: duration.optional() }).optional(),
  network_mode: z.string().optional(),
  networks: z.strictObject({ default: z.strictObject({ aliases: texts }) }).optional(),
  volumes: texts.optional(),
  ports: texts.optional(),
  secrets: texts.optional(),
})
const compose = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), composed),
  volumes: z.record(z.string(), z.null()).optional(),
  // Compose copies a secret of the environment into the container, which a read-only root forbids.
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })).optional(),
})

it('the alerts are valid Prometheus rules, and the configuration of Prometheus refers to their path', () => {
  const { groups } = alerts.parse(yaml('alerts.yml'))
  const names = groups.flatMap(({ rules }) => rules.map((each) => each.alert))
  expect(names.length).toBeGreaterThanOrEqual(12)
  expect(new Set(names).size).toBe(names.length)
  const { rule_files: files, scrape_configs: jobs } = prometheus.parse(yaml('prometheus.yml'))
  expect(files).toEqual(['alerts.yml'])
  expect(jobs.map((job) => job.job_name)).toEqual(['holdfast'])
  const jobNames = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => expr.match(/job="(\w+)"/)?.[1] ?? []))
  expect(new Set(jobNames)).toEqual(new Set(['holdfast']))
})

it.each(['compose.yaml', 'compose-cluster.yaml'])('%s has services with known members and valid references', (name) => {
  const document = yaml(name) as Record<string, unknown>
  const members = Object.entries(document).filter(([key]) => !key.startsWith('x-'))
  const { services, volumes = {}, secrets = {} } = compose.parse(Object.fromEntries(members))
  for (const [service, about] of Object.entries(services)) {
    const dependencies = Array.isArray(about.depends_on) ? about.depends_on : Object.keys(about.depends_on ?? {})
    const shared = about.network_mode?.startsWith('service:') === true ? [about.network_mode.slice(8)] : []
    for (const other of [...dependencies, ...shared]) expect(Object.keys(services), `${service} needs`).toContain(other)
    // A container that starts again has another network: those that shared the former one are cut off.
    for (const other of shared) expect(services[other]!.entrypoint, other).toEqual(['sleep', 'infinity'])
    for (const [dependency, how] of Object.entries(Array.isArray(about.depends_on) ? {} : (about.depends_on ?? {}))) {
      const other = services[dependency]!
      // An image built here has the check of its Dockerfile.
      if (how.condition === 'service_healthy') expect(other.healthcheck ?? other.build, dependency).toBeDefined()
    }
    const volumeNames = (about.volumes ?? []).map((each) => each.split(':')[0]!).filter((each) => !each.startsWith('.'))
    for (const volume of volumeNames) expect(Object.keys(volumes), `${service} mounts`).toContain(volume)
    for (const secret of about.secrets ?? []) expect(Object.keys(secrets), `${service} reads`).toContain(secret)
  }
  for (const [secret, { file }] of Object.entries(secrets))
    expect(file).toBe(`\${CLUSTER_SECRETS:-/etc/holdfast-cluster}/${secret}`)
})

it('the nodes of the cluster have settings with which a node starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-compose-'))
  const texts: Readonly<Record<string, string>> = {
    'store-password': 'password',
    'node-secret': 'n'.repeat(32),
    'master-key': Buffer.alloc(32, 7).toString('base64'),
    'bootstrap-key': generateApiKey().apiKey,
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  const { services } = yaml('compose-cluster.yaml') as { services: Record<string, z.infer<typeof composed>> }
  const names = Object.keys(services).filter((name) => name.startsWith('node-'))
  expect(names).toEqual(['node-1', 'node-2', 'node-3'])
  for (const name of names) {
    const settingTexts = Object.entries(services[name]!.environment!).map(([setting, value]) => {
      return [setting, String(value).replace('/run/secrets', folder)] as const
    })
    const settings = loadSettings({ ...Object.fromEntries(settingTexts), HOLDFAST_DATA_DIR: '/data' })
    expect(nodeIdentity(settings)).toMatchObject({ nodeId: name, nodeSecret: texts['node-secret'] })
    expect(settings.nodeUrl).toBe(`http://${name}:8080`)
    expect(settings.store).toMatchObject({ host: 'database', user: 'holdfast', database: 'holdfast' })
    expect(settings.warnings).toEqual([])
  }
  rmSync(folder, { recursive: true })
})

it('Grafana is provisioned with the data source and the dashboard', () => {
  expect(yaml('grafana/datasource.yml')).toMatchObject({ apiVersion: 1, datasources: [{ type: 'prometheus' }] })
  expect(yaml('grafana/dashboards.yml')).toMatchObject({ apiVersion: 1, providers: [{ type: 'file' }] })
})
