// Holds the code to its architecture. Each rule is tried on the project, where it must find nothing, and on a tree made
// up to break it, where it must find just that: a rule that cannot fail guards nothing.
import { describe, expect, it } from 'vitest'
import { coldReads, effectsAfterCommit } from './tidy/cold-reads.ts'
import { exceptions } from './tidy/exceptions.ts'
import { circles, floors, rooms } from './tidy/floors.ts'
import { foreignRecords } from './tidy/foreign-records.ts'
import { environment, givenTime, libraries, placedLibraries, purity } from './tidy/places.ts'
import { tenants } from './tidy/tenants.ts'
import { sizes } from './tidy/texts.ts'
import { TEXT_TRIALS, type Trial } from './tidy/text-trials.ts'
import { timers } from './tidy/timers.ts'
import { isProduct, madeUp, repository } from './tidy/tree.ts'

const TRIALS: Readonly<Record<string, Trial>> = {
  ...TEXT_TRIALS,
  'imports go down the floors': {
    rule: floors,
    broken: madeUp({
      'machines/a.ts':
        "import { setup } from 'xstate'\nimport { readFileSync } from 'node:fs'\nimport '../snapshots/a.ts'",
      'snapshots/a.ts': "import { level } from 'level'\nimport type { Machine } from '../machines/a.ts'",
      'src/rpc/a.ts':
        "import type { K } from '../keys/a.ts'\nconst c = await import('../engine/a.ts')\nimport '../localnet/a.ts'",
      'src/engine/a.ts': "type Call = import('../operations/a.ts').Call",
      'src/operations/a.ts': "export * from '../lending/a.ts'\nexport * from './deeper/b.ts'",
      'src/http/a.ts':
        "import '../operations/a.ts'\nnew URL('../main.ts', import.meta.url)\nnew URL('page.html', import.meta.url)",
      'src/main.ts': "import './service/service.ts'\nawait import('./localnet/a.ts')\nawait import('./cli/tour.ts')",
      'src/localnet/a.ts': "import '../rpc/a.ts'\nimport '../solana/a.ts'",
      'src/install.mjs': "import tsx from 'tsx'",
      'src/service/assemble.ts': "import '../engine/a.ts'\nimport './service.ts'",
      'src/service/service.ts': "import './assemble.ts'",
      'src/cli/b.ts': "import '../service/assemble.ts'",
      'src/client/a.ts': "import createClient from 'openapi-fetch'\nimport type { Route } from '../http/a.ts'",
      'src/cli/c.ts': "import { holdfast } from '../client/a.ts'",
      'src/console/a.tsx':
        "import '../../machines/a.ts'\nimport { draw } from '../drawings/a.ts'\nimport '../http/a.ts'",
      'src/drawings/a.ts': "import '../../machines/a.ts'\nimport '../config/a.ts'",
      'src/http/b.ts': "import '../site/a.ts'\nimport '../console/a.tsx'\nimport '../drawings/a.ts'",
      'src/cli/d.ts': "import '../drawings/a.ts'",
      'src/deploy/signers/a.mjs': "import 'node:http'\nimport './b.mjs'\nimport 'level'",
      'src/deploy/signers/b.mjs': '',
      'src/cli/e.ts': "import '../deploy/signers/b.mjs'",
      'src/other/a.ts': '',
      'bench/a.ts': "import '../src/localnet/a.ts'\nimport '../src/install.mjs'",
    }),
    complaints: [
      'src/other/a.ts is on no floor',
      'machines/a.ts may not import node:fs',
      'machines/a.ts may not import snapshots/a.ts',
      'src/rpc/a.ts may not import src/engine/a.ts',
      'src/rpc/a.ts may not import src/localnet/a.ts',
      'src/engine/a.ts may not import src/operations/a.ts',
      'src/operations/a.ts may not import src/lending/a.ts',
      'src/http/a.ts may not import src/main.ts',
      'src/localnet/a.ts may not import src/rpc/a.ts',
      'src/install.mjs may not import tsx',
      'src/service/assemble.ts may not import src/service/service.ts',
      'src/cli/b.ts may not import src/service/assemble.ts',
      'src/client/a.ts may not import src/http/a.ts',
      'src/cli/c.ts may not import src/client/a.ts',
      'src/console/a.tsx may not import src/http/a.ts',
      'src/drawings/a.ts may not import src/config/a.ts',
      'src/http/b.ts may not import src/console/a.tsx',
      'src/cli/d.ts may not import src/drawings/a.ts',
      'src/deploy/signers/a.mjs may not import level',
      'src/cli/e.ts may not import src/deploy/signers/b.mjs',
      'bench/a.ts may not import src/install.mjs',
    ],
  },
  'rooms of a folder import downward': {
    rule: rooms,
    broken: madeUp({
      'src/engine/a.ts': "import './records/a.ts'",
      'src/engine/records/a.ts': "import type { Engine } from '../engine.ts'\nimport { find } from '../index/a.ts'",
      'src/engine/index/a.ts': "import '../records/a.ts'\nimport '../engine.ts'",
      'src/operations/loans/a.ts': "import '../lookup/a.ts'\nimport './deeper/a.ts'",
      'src/operations/lookup/deeper/a.ts': "import '../../loans/a.ts'",
      'src/operations/helpers/a.ts': '',
    }),
    complaints: [
      'src/engine/records/a.ts may not import src/engine/index/a.ts: its room comes later',
      'src/engine/index/a.ts may not import src/engine/engine.ts: its room comes later',
      'src/operations/helpers/a.ts is in no room of src/operations',
      'src/operations/lookup/deeper/a.ts may not import src/operations/loans/a.ts: its room comes later',
    ],
  },
  'tenants are kept apart': {
    rule: tenants,
    broken: madeUp({
      'src/operations/a.ts': "unit.alongside('OTHER')\nentry.awake().tell(event)",
      'src/operations/transactions/countersign/countersign.ts': 'unit.alongside(owner)',
      'src/engine/a.ts': 'entry.awake()',
    }),
    complaints: [
      "src/operations/a.ts takes another tenant's commit along",
      'src/operations/a.ts has an actor in its hands: awake',
    ],
  },
  'rows that may have to be fetched are read where the read is repeated': {
    rule: coldReads,
    broken: madeUp({
      'src/operations/a.ts': 'const row = platform.engine.store.secret(tenant, cluster, id)\nstore.meta(name)',
      'src/operations/b.ts': 'const entry = this.#platform.engine.directory.byId(id)\ndirectory.resident(id)',
      'src/engine/a.ts': 'engine.payload(entry.head)\nfolder.file(name)',
      'src/http/a.ts': 'try { read() } catch (error) { if (error instanceof NotAtHand) return null }',
      'src/operations/c.ts': 'if (error instanceof DebitsNotRecalled) await recall(error)',
      'src/operations/signing/explain.ts': 'engine.store.meta(name)',
      'src/operations/transactions/attempt.ts': 'if (error instanceof NotAtHand) again()',
      'snapshots/view.ts': 'this.#store.old(id)',
    }),
    complaints: [
      'src/operations/a.ts reads rows that may have to be fetched first',
      'src/operations/b.ts reads rows that may have to be fetched first',
      'src/engine/a.ts reads rows that may have to be fetched first',
      'src/http/a.ts catches NotAtHand past the runners',
      'src/operations/c.ts catches DebitsNotRecalled past attempt.ts',
      'src/operations/signing/explain.ts needs no place among the readers of cold-reads.ts',
    ],
  },
  'operations and engine throw what ends a request, and nothing that steers it': {
    rule: exceptions,
    broken: madeUp({
      'src/contract/refusal.ts': 'export class Refusal extends Error {}',
      'src/operations/context/needs.ts': 'export class Needs extends Error {}\nthrow new Needs(need)',
      'src/operations/a.ts': 'class Overtaken extends Refusal {}\nthrow new Overtaken()',
      'src/operations/b.ts': 'class Outcome extends Promise {}\nthrow new Refusal(400, [])\nthrow error',
      'src/operations/c.ts':
        'if (error instanceof Refusal) return again()\nif (error instanceof SyntaxError) return null',
      'src/operations/d.ts': 'throw new CommandRejected(answer, head)',
      'src/operations/context/as-refusal.ts': 'return error instanceof Refusal',
      'src/operations/loans/change-draft.ts': 'export const draft = null',
      'src/engine/settlement/chain-facts.ts': 'if (error instanceof RecordFailed) return false',
      'src/engine/records/unit-of-work.ts':
        'export class RecordFailed extends Error {}\nthrow new RecordFailed(entry, cause)',
      'src/engine/a.ts': 'class Outdated extends Error {}\nthrow new Outdated()\nthrow new Refusal(400, [])',
      'src/engine/b.ts': 'if (error instanceof RecordFailed) return false',
      'src/http/a.ts': 'class Steering extends Error {}\nif (error instanceof Refusal) return again()',
    }),
    complaints: [
      'src/operations/a.ts declares an error: Overtaken. What is no refusal is an outcome',
      'src/operations/a.ts throws Overtaken',
      'src/operations/c.ts asks whether an error is a Refusal',
      'src/operations/d.ts throws CommandRejected',
      'src/operations/loans/change-draft.ts needs no place among the files of exceptions.ts',
      'src/engine/a.ts declares an error: Outdated. What is no refusal is an outcome',
      'src/engine/a.ts throws Outdated',
      'src/engine/a.ts throws Refusal',
      'src/engine/b.ts asks whether an error is a RecordFailed',
    ],
  },
  'what goes out follows a commit': {
    rule: effectsAfterCommit,
    broken: madeUp({
      'src/operations/a.ts': 'unit.afterCommit(() => cluster.submit(bytes))\ncluster.submit(bytes)\ncluster.forget(id)',
      'src/operations/b.ts': 'unit.onRollBack(() => platform.signingQueue.ask(entry))',
      'src/operations/c.ts':
        'platform.clusters.get(id)?.watch(sent)\nunit.afterCommit(() => platform.clusters.get(id)?.watch(sent))',
      'src/engine/a.ts': 'link.watch(submission)',
      'src/engine/settlement/recovery.ts': 'link.watch(submission)',
      'src/submission/a.ts': 'link.submit(bytes)',
    }),
    complaints: [
      'src/operations/a.ts has an effect that does not follow a commit: cluster.submit',
      'src/operations/b.ts has an effect that does not follow a commit: platform.signingQueue.ask',
      'src/operations/c.ts has an effect that does not follow a commit: platform.clusters.get',
      'src/engine/a.ts has an effect that does not follow a commit: link.watch',
    ],
  },
  "no reading of other tenants' records but where it is said why": {
    rule: foreignRecords,
    broken: madeUp({
      'src/operations/a.ts':
        "import { addressKey } from '../engine/index-keys.ts'\ndirectory.find(addressKey(cluster, address))",
      'src/operations/b.ts': "import { closedAddressKey as at } from '../engine/index-keys.ts'",
      'src/operations/d.ts': 'directory.atAddress(cluster, address)',
      'src/operations/c.ts': 'for (const entry of platform.engine.directory.entries()) names.entries()',
      'src/http/a.ts': 'const all = [...directory.holdings()]',
      'src/operations/lookup/whose-records.ts': "import { addressKey } from '../../engine/index-keys.ts'",
      'src/operations/transactions/books.ts':
        "import { addressKey } from '../../engine/index-keys.ts'\ndirectory.entries()",
      'src/operations/transactions/signing/named.ts': 'directory.byId(id)',
      'src/engine/a.ts': 'directory.entries()',
    }),
    complaints: [
      'src/operations/a.ts reads records at an address past whose-records.ts',
      'src/operations/b.ts reads records at an address past whose-records.ts',
      'src/operations/d.ts reads records at an address past whose-records.ts',
      'src/operations/c.ts goes through all records of the server',
      'src/http/a.ts goes through all records of the server',
      'src/operations/transactions/books.ts goes through all records of the server',
      'src/operations/transactions/signing/named.ts needs no exception of foreign-records.ts any more',
    ],
  },
  'imports go in no circle': {
    rule: circles,
    broken: madeUp({
      'src/rpc/a.ts': "import { b } from './b.ts'",
      'src/rpc/b.ts': "import { type C } from './c.ts'",
      'src/rpc/c.ts': "export { a } from './a.ts'",
      'src/rpc/d.ts': "import type { E } from './e.ts'",
      'src/rpc/e.ts': "import { d } from './d.ts'",
    }),
    complaints: ['src/rpc/a.ts -> src/rpc/b.ts -> src/rpc/c.ts -> src/rpc/a.ts'],
  },
  'each library has its place': {
    rule: libraries,
    broken: madeUp({
      'src/operations/a.ts':
        "import Koa from 'koa'\nimport type { Router } from '@koa/router'\nimport '@solana/web3.js'",
      'src/engine/a.ts': "const { Level } = await import('level')",
      'snapshots/a.ts': "import { Level } from 'level'",
      'snapshots/b.ts': "import { Level } from 'level'\nimport pg from 'pg'",
      'snapshots/postgres/a.ts': "import pg from 'pg'",
      'snapshots/postgres/b.ts': "import type { Client } from 'pg'",
      'src/localnet/a.ts': "import { Level } from 'level'\nimport { LiteSVM } from 'litesvm'",
      'src/keys/a.ts': "import { ed25519_FROST } from '@noble/curves/ed25519.js'",
      'src/keys/b.ts': "import { sha512 } from '@noble/hashes/sha2.js'",
      'src/config/a.ts': "import { Command } from 'commander'",
      'src/cli/a.ts': "import { Command } from 'commander'\nimport cliProgress from 'cli-progress'",
      'src/localnet/b.ts': "import type { Level } from 'level'\nimport { Inner } from 'litesvm/dist/internal.js'",
      'src/submission/a.ts': "import PQueue from 'p-queue'",
      'src/submission/b.ts': "import type PQueue from 'p-queue'",
      'src/cli/b.ts': "import createClient from 'openapi-fetch'",
      'src/drawings/a.ts': "import dagre from '@dagrejs/dagre'",
      'src/operations/b.ts': "import { z } from 'zod'\nimport { createActor } from 'xstate'",
      'src/console/a.tsx':
        "import { h } from 'preact'\nimport { build } from 'vite'\nimport dagre from '@dagrejs/dagre'",
      'test/a.ts': "import { PublicKey } from '@solana/web3.js'\nimport Koa from 'koa'",
    }),
    complaints: [
      'src/operations/a.ts may not import koa',
      'src/operations/a.ts may not import @koa/router',
      'src/engine/a.ts may not import level',
      'src/localnet/a.ts, src/localnet/b.ts import level: one file should',
      'snapshots/b.ts may not import pg',
      'snapshots/postgres/a.ts, snapshots/postgres/b.ts import pg: one file should',
      'src/submission/a.ts, src/submission/b.ts import p-queue: one file should',
      'src/operations/a.ts may not import @solana/web3.js',
      'src/keys/a.ts, src/keys/b.ts import @noble/curves: one file should',
      'src/config/a.ts may not import commander',
      'src/cli/b.ts may not import openapi-fetch',
      'src/console/a.tsx may not import vite',
      'src/console/a.tsx may not import @dagrejs/dagre',
      'src/localnet/a.ts, src/localnet/b.ts import litesvm: one file should',
      'src/operations/b.ts may not import xstate',
      'src/operations/b.ts may not import zod',
    ],
  },
  'each library of a production install has a place': {
    rule: placedLibraries,
    broken: madeUp({
      'package.json': JSON.stringify({
        dependencies: { koa: '1', '@solana/web3.js': '1', 'left-pad': '1' },
        optionalDependencies: { 'right-pad': '1' },
      }),
    }),
    complaints: ['left-pad has no place in places.ts', 'right-pad has no place in places.ts'],
  },
  'one file reads the environment': {
    rule: environment,
    broken: madeUp({
      'src/config/a.ts': 'export const home = process.env.HOME',
      'src/config/b.ts': "export const home = process['env'].HOME",
      'src/keys/a.ts': "import { env } from 'node:process'",
      'src/keys/b.ts': '// process.env is read elsewhere',
    }),
    complaints: [
      'src/keys/a.ts reads the environment',
      'src/config/a.ts, src/config/b.ts read the environment: one file should',
    ],
  },
  'the rulebook is pure': {
    rule: purity,
    broken: madeUp({
      'machines/a.ts': 'const at = Date.now() + Math.random()\nconst day = new Date()\nconsole.log(day, at)',
      'machines/b.ts': 'const day = new Date(event.at)\nconst { process } = order\norder.fetch()',
    }),
    complaints: [
      'machines/a.ts is not pure: Date.now',
      'machines/a.ts is not pure: Math.random',
      'machines/a.ts is not pure: new Date()',
      'machines/a.ts is not pure: console',
    ],
  },
  'engine and operations are given their time': {
    rule: givenTime,
    broken: madeUp({
      'src/engine/a.ts':
        "import { setTimeout as sleep } from 'node:timers/promises'\nclock.setTimeout(wake, Date.now())",
      'src/operations/a.ts':
        "import { randomUUID } from 'node:crypto'\nsetTimeout(() => randomUUID(), 5)\nconst at = new Date(platform.clock.now())",
      'src/rpc/a.ts': 'setTimeout(() => Date.now(), 5)',
    }),
    complaints: [
      'src/engine/a.ts has time or chance of its own: Date.now',
      'src/engine/a.ts has time or chance of its own: setTimeout',
      'src/operations/a.ts has time or chance of its own: randomUUID',
      'src/operations/a.ts has time or chance of its own: setTimeout',
    ],
  },
  'the work of every timer of the operations has somebody who receives what it throws': {
    rule: timers,
    broken: madeUp({
      'src/operations/a.ts': 'this.#clock.soon(() => this.#continue(entry))',
      'src/operations/background/plan-driver.ts': 'engine.transact(work)',
      'src/operations/batches/driver.ts': 'clock.setTimeout(() => this.#continueSafely(entry), RETRY_MS)',
      'src/engine/a.ts': 'clock.setTimeout(wake, 5)',
    }),
    complaints: [
      'src/operations/a.ts sets timers that timers.ts does not name',
      'src/operations/background/plan-driver.ts needs no place in timers.ts',
    ],
  },
}

describe('the project', () => {
  const project = repository()

  it('was read completely', () => {
    const paths = project.files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['machines/account.ts', 'src/main.ts', 'src/install.mjs', 'test/tidy.test.ts', '.ci/run']),
    )
  })

  for (const [name, { rule, broken, complaints }] of Object.entries(TRIALS)) {
    it(name, () => expect(rule(project)).toEqual([]))
    it(`${name}: the rule can fail`, () => expect(rule(broken)).toEqual(complaints))
  }

  it('reports the lengths of its files', () => {
    for (const [name, { files, median, p90, longest }] of [
      ['service', sizes(project, isProduct)] as const,
      ['tests and benches', sizes(project, (file) => !isProduct(file))] as const,
    ]) {
      expect(files).toBeGreaterThan(0)
      process.stdout.write(`${name}: ${files} files, median ${median} lines, p90 ${p90}, longest ${longest}\n`)
    }
  })
})
