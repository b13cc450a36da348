// Jobs of several parts: nested tasks, variables, arrays of jobs, limits; and invalid definitions.
import { big, http, json, tasks, utf8, value, type Row } from './jobs.ts'
import { HOST, NOW } from './world.ts'

const fails = (reason: string) => ({ fails: reason })
const refusal = (reason: string) => ({ refused: reason })
const cache = (variableName: string, ...list: readonly unknown[]) => ({
  cacheTask: { cacheItems: [{ variableName, job: tasks(...list) }] },
})
const dead = http('/gone')
const nest = (depth: number): object => (depth === 0 ? value(1) : { medianTask: { tasks: [nest(depth - 1)] } })

export const PARTS: readonly Row[] = [
  ['a median of tasks', tasks({ medianTask: { tasks: [value(3), value(1), value(2)] } }), '2'],
  ['a median of an even count', tasks({ medianTask: { tasks: [value(1), value(2)] } }), '1.5'],
  ['a median of jobs', tasks({ medianTask: { jobs: [tasks(value(1)), tasks(value(9)), tasks(value(5))] } }), '5'],
  ['a median of both', tasks({ medianTask: { tasks: [value(1)], jobs: [tasks(value(3))] } }), '2'],
  [
    'members begin with the current value',
    tasks(http('/nested'), { medianTask: { tasks: [json('$.a.b[0].c'), json('$.a.b[1].c'), json('$.a.b[2].c')] } }),
    '2.5',
  ],
  ['a median without what fails', tasks({ medianTask: { tasks: [value(1), dead, value(3)] } }), '2'],
  [
    'a median with too many that fail',
    tasks({ medianTask: { tasks: [value(1), dead, dead], minSuccessfulRequired: 2 } }),
    fails('1 of 3 members succeed, and 2 must'),
  ],
  ['a median of nothing', tasks({ medianTask: { tasks: [dead] } }), fails('0 of 1 members succeed, and 1 must')],
  ['a median of enough', tasks({ medianTask: { tasks: [value(1), dead, value(2)], minSuccessfulRequired: 2 } }), '1.5'],
  [
    'within the range',
    tasks({ medianTask: { tasks: [value(99), value(100), value(101)], maxRangePercent: '2' } }),
    '100',
  ],
  [
    'out of the range',
    tasks({ medianTask: { tasks: [value(99), value(100), value(101.5)], maxRangePercent: '2' } }),
    fails('further apart than maxRangePercent'),
  ],
  [
    'a range as a number',
    tasks({ medianTask: { tasks: [value(1), value(2)], maxRangePercent: 10 } }),
    fails('further apart'),
  ],
  [
    'a range around a negative median',
    tasks({ medianTask: { tasks: [value(-99), value(-101)], maxRangePercent: '2' } }),
    '-100',
  ],
  [
    'a range around zero',
    tasks({ medianTask: { tasks: [value(-1), value(1)], maxRangePercent: '50' } }),
    fails('further apart'),
  ],
  ['no range at all', tasks({ medianTask: { tasks: [value(0), value(0)], maxRangePercent: '0' } }), '0'],
  [
    'a job that counts more',
    tasks({ medianTask: { jobs: [tasks(value(1)), { ...tasks(value(5)), weight: 3 }] } }),
    '5',
  ],
  ['a median of none', tasks({ medianTask: {} }), refusal('tasks or jobs are required')],
  [
    'more than there are',
    tasks({ medianTask: { tasks: [value(1)], minSuccessfulRequired: 2 } }),
    refusal('more than its 1 members'),
  ],
  [
    'a negative range',
    tasks({ medianTask: { tasks: [value(1)], maxRangePercent: '-1' } }),
    refusal('must not be negative'),
  ],
  ['a mean', tasks({ meanTask: { tasks: [value(1), value(2), value(6)] } }), '3'],
  ['a mean without end', tasks({ meanTask: { tasks: [value(1), value(0), value(0)] } }), `0.${'3'.repeat(38)}`],
  [
    'a mean of what fails',
    tasks({ meanTask: { tasks: [value(1), dead] } }),
    fails('member 2 (httpTask): the host answers 404'),
  ],
  ['the least', tasks({ minTask: { tasks: [value(3), value(-2), value(5)] } }), '-2'],
  ['the greatest', tasks({ maxTask: { jobs: [tasks(value(3)), tasks(value(5))] } }), '5'],
  ['the greatest of what fails', tasks({ maxTask: { tasks: [dead, value(1)] } }), fails('404')],
  ['within bounds', tasks(value(5), { boundTask: { lowerBoundValue: '1', upperBoundValue: '9' } }), '5'],
  ['on a bound', tasks(value(9), { boundTask: { upperBoundValue: '9' } }), '9'],
  ['below', tasks(value(0), { boundTask: { lowerBoundValue: '1' } }), fails('below the lower bound')],
  ['above', tasks(value(10), { boundTask: { upperBoundValue: '9' } }), fails('above the upper bound')],
  ['below, and replaced', tasks(value(0), { boundTask: { lowerBoundValue: '1', onExceedsLowerBoundValue: '1' } }), '1'],
  [
    'above, and replaced by a job',
    tasks(value(10), { boundTask: { upperBound: tasks(value(9)), onExceedsUpperBound: tasks(value(8)) } }),
    '8',
  ],
  [
    'a bound of the current value',
    tasks(value(10), { boundTask: { lowerBound: tasks({ addTask: { scalar: 1 } }) } }),
    fails('below'),
  ],
  ['no bounds', tasks(value(1), { boundTask: {} }), refusal('a lower or an upper bound is required')],
  [
    'a bound twice',
    tasks(value(1), { boundTask: { lowerBound: tasks(value(1)), lowerBoundValue: '1' } }),
    refusal('exclude each other'),
  ],
  [
    'a replacement without a bound',
    tasks(value(1), { boundTask: { upperBoundValue: '1', onExceedsLowerBoundValue: '1' } }),
    refusal('needs a lower bound'),
  ],
  ['an attempt that succeeds', tasks({ conditionalTask: { attempt: [value(1)], onFailure: [value(2)] } }), '1'],
  ['an attempt that fails', tasks({ conditionalTask: { attempt: [dead], onFailure: [value(2)] } }), '2'],
  [
    'both fail',
    tasks({ conditionalTask: { attempt: [dead], onFailure: [http('/error')] } }),
    fails('onFailure, task 1 (httpTask): the host answers 500'),
  ],
  [
    'the second begins where the first began',
    tasks(value(4), {
      conditionalTask: {
        attempt: [{ addTask: { scalar: 1 } }, { divideTask: { scalar: 0 } }],
        onFailure: [{ multiplyTask: { scalar: 2 } }],
      },
    }),
    '8',
  ],
  ['a job in place of tasks', tasks({ conditionalTask: { attempt: [tasks(value(6))], onFailure: [value(2)] } }), '6'],
  ['an attempt without another', tasks({ conditionalTask: { attempt: [value(1)] } }), refusal('onFailure is required')],
  [
    'equal',
    tasks(value(1), {
      comparisonTask: { op: 'EQ', lhsValue: '1.0', rhsValue: '1', onTrueValue: '10', onFalseValue: '20' },
    }),
    '10',
  ],
  [
    'greater',
    tasks(value(1), { comparisonTask: { op: 'GT', rhsValue: '1', onTrueValue: '10', onFalseValue: '20' } }),
    '20',
  ],
  [
    'less, by number',
    tasks(value(1), {
      comparisonTask: { op: 2, rhsValue: '1.5', onTrue: tasks({ addTask: { scalar: 1 } }), onFalseValue: '20' },
    }),
    '2',
  ],
  [
    'another spelling',
    tasks(value(1), { comparisonTask: { op: 'OPERATION_GT', rhsValue: '0', onTrueValue: '3', onFalseValue: '4' } }),
    '3',
  ],
  [
    'a comparison that fails',
    tasks(value(1), { comparisonTask: { op: 'GT', rhs: tasks(dead), onTrueValue: '1', onFalseValue: '2' } }),
    fails('rhs, task 1 (httpTask)'),
  ],
  [
    'and what then',
    tasks(value(1), {
      comparisonTask: { op: 'GT', rhs: tasks(dead), onTrueValue: '1', onFalseValue: '2', onFailureValue: '7' },
    }),
    '7',
  ],
  [
    'nothing to compare with',
    tasks(value(1), { comparisonTask: { op: 'GT', onTrueValue: '1', onFalseValue: '2' } }),
    refusal('rhs or rhsValue is required'),
  ],
  [
    'no such comparison',
    tasks(value(1), { comparisonTask: { op: 'GTE', rhsValue: '1', onTrueValue: '1', onFalseValue: '2' } }),
    refusal('op must be one of'),
  ],
  ['the time', tasks({ unixTimeTask: {} }), String(NOW)],
  ['an earlier time', tasks({ unixTimeTask: { offset: 60 } }), String(NOW - 60)],
]

export const VARIABLES: readonly Row[] = [
  ['what is cached', tasks(value(1), cache('A', value(5)), { addTask: { big: '${A}' } }), '6'],
  [
    'one by another',
    tasks(
      {
        cacheTask: {
          cacheItems: [
            { variableName: 'A', job: tasks(value(5)) },
            { variableName: 'B', job: tasks(big('${A}'), { addTask: { scalar: 1 } }) },
          ],
        },
      },
      big('${B}'),
    ),
    '6',
  ],
  ['in a url', tasks(cache('P', utf8('price')), { httpTask: { url: `${HOST}/\${P}` } }, json('$.${P}')), '123.45'],
  ['in a path of a list', tasks(cache('S', utf8('SOL')), http('/quotes'), json("$[?(@.s == '${S}')].p")), '150.25'],
  [
    'in a mapping',
    tasks(cache('V', value(9)), utf8('k'), { stringMapTask: { mappings: [{ key: 'k', value: '${V}' }] } }),
    '9',
  ],
  [
    'in a bound',
    tasks(cache('MAX', value(3)), value(4), {
      boundTask: { upperBoundValue: '${MAX}', onExceedsUpperBoundValue: '${MAX}' },
    }),
    '3',
  ],
  ['the current value goes on', tasks(value(7), cache('A', value(5))), '7'],
  ['before it is cached', tasks(big('${A}'), cache('A', value(5))), fails('not cached at this point')],
  [
    'what a member cached',
    tasks({ medianTask: { jobs: [tasks(cache('A', value(5)), value(1))] } }, big('${A}')),
    fails('not cached at this point'),
  ],
  [
    'a path that turns out to be none',
    tasks(cache('P', utf8('..x')), http('/price'), json('$${P}')),
    fails('the path is not understood'),
  ],
  ['a number that turns out to be none', tasks(cache('P', utf8('x')), big('${P}')), fails('big is no number')],
  ['a name in small letters', tasks(cache('a', value(1)), value(1)), refusal('variableName takes A to Z')],
  ['no items', tasks({ cacheTask: {} }), refusal('cacheItems are required')],
  ['an item without a job', tasks({ cacheTask: { cacheItems: [{ variableName: 'A' }] } }), refusal('job is required')],
  [
    'a text that grows',
    tasks(cache('A', utf8('x'.repeat(30_000))), cache('B', utf8('${A}${A}')), cache('C', utf8('${B}${B}')), value(1)),
    fails('longer than 65536'),
  ],
]

export const ARRAYS: readonly Row[] = [
  ['the median of several', [tasks(value(1)), tasks(value(2)), tasks(value(9))], '2'],
  ['without one that fails', [tasks(value(1)), tasks(dead), tasks(value(4))], '2.5'],
  ['one of two', [tasks(dead), tasks(value(4))], '4'],
  ['too few of three', [tasks(dead), tasks(value(4)), tasks(dead)], fails('1 of 3 jobs succeed, and 2 must')],
  [
    'none',
    [tasks(dead), tasks(http('/error'))],
    fails('job 1, task 1 (httpTask): the host answers 404; job 2, task 1 (httpTask): the host answers 500'),
  ],
  ['one that counts more', [{ ...tasks(value(1)), weight: 2 }, tasks(value(2))], '1'],
  ['an empty array', [], refusal('the definition holds no job')],
  ['too many jobs', Array.from({ length: 17 }, () => tasks(value(1))), refusal('more than 16 jobs')],
  [
    'the second is wrong',
    [tasks(value(1)), tasks({ fooTask: {} })],
    refusal('job 2, task 1: fooTask is no task that is known here'),
  ],
  ['an array in an array', [[tasks(value(1))]], refusal('job 1 is no object')],
]

export const MALFORMED: readonly Row[] = [
  ['no JSON', 'tasks', refusal('no JSON')],
  ['JSON with comments', '{"tasks":[/* one */{"valueTask":{"value":1}}]}', refusal('no JSON')],
  ['a comma too many', '{"tasks":[{"valueTask":{"value":1}},]}', refusal('no JSON')],
  ['a name twice', '{"tasks":[],"tasks":[{"valueTask":{"value":1}}]}', refusal('a name comes twice')],
  ['half a surrogate pair', '{"tasks":[{"valueTask":{"utf8":"\\ud800"}}]}', refusal('surrogate')],
  ['a string', '"tasks"', refusal('job 1 is no object')],
  ['null', 'null', refusal('job 1 is no object')],
  ['no tasks', {}, refusal('tasks are required')],
  ['empty tasks', tasks(), refusal('tasks are required')],
  ['tasks that are none', { tasks: 1 }, refusal('tasks must be an array')],
  ['something besides tasks', { ...tasks(value(1)), name: 'x' }, refusal('name is not known here')],
  [
    'a weight where nothing is weighed',
    tasks(value(1), { addTask: { job: { ...tasks(value(1)), weight: 2 } } }),
    refusal('job: weight is not known here'),
  ],
  ['a weight out of range', { ...tasks(value(1)), weight: 101 }, refusal('weight must be a whole number')],
  ['an unknown task', tasks({ fooTask: {} }), refusal('job 1, task 1: fooTask is no task')],
  ['a task in snake case', tasks({ http_task: { url: HOST } }), refusal('http_task is no task')],
  ['a task by half its name', tasks({ jsonParse: { path: '$' } }), refusal('jsonParse is no task')],
  ['a name of every object', '{"tasks":[{"constructor":{}}]}', refusal('constructor is no task')],
  ['a prototype', '{"tasks":[{"__proto__":{}}]}', refusal('__proto__ is no task')],
  [
    'two tasks in one',
    tasks({ valueTask: { value: 1 }, roundTask: {} }),
    refusal('exactly one member, and this one has 2'),
  ],
  ['no task in one', tasks({}), refusal('exactly one member, and this one has 0')],
  ['a task that is no object', tasks({ valueTask: 1 }), refusal('task 1 (valueTask) is no object')],
  [
    'an unknown member',
    tasks({ valueTask: { value: 1, valeu: 2 } }),
    refusal('job 1, task 1 (valueTask): valeu is not known here'),
  ],
  [
    'deep within',
    tasks({ medianTask: { tasks: [value(1), { addTask: { scalr: 1 } }] } }),
    refusal('member 2 (addTask): one of scalar, big, job is required'),
  ],
  ...[
    'websocketTask',
    'cronParseTask',
    'oracleTask',
    'llmTask',
    'secretsTask',
    'solanaAccountDataFetchTask',
    'twapTask',
    'splTokenParseTask',
  ].map((name): Row => [name, tasks({ [name]: {} }), refusal(`${name} is not supported`)]),
  ['64 tasks', tasks(...Array.from({ length: 64 }, () => value(1))), '1'],
  ['65 tasks', tasks(...Array.from({ length: 65 }, () => value(1))), refusal('at most 64 tasks')],
  [
    '65 tasks within',
    tasks({ medianTask: { tasks: Array.from({ length: 64 }, () => value(1)) } }),
    refusal('at most 64 tasks'),
  ],
  ['8 deep', tasks(nest(7)), '1'],
  ['9 deep', tasks(nest(8)), refusal('nested at most 8 deep')],
  ['8 requests', tasks(...Array.from({ length: 8 }, () => http('/number'))), '42.5'],
  ['9 requests', tasks(...Array.from({ length: 9 }, () => http('/number'))), refusal('at most 8 requests')],
  [
    '9 requests of two jobs',
    [
      tasks(...Array.from({ length: 5 }, () => http('/number'))),
      tasks(...Array.from({ length: 4 }, () => http('/number'))),
    ],
    refusal('at most 8 requests'),
  ],
  ['a long definition', tasks({ valueTask: { utf8: 'x'.repeat(33_000) } }), refusal('longer than 32768')],
  ['a deep definition', `${'['.repeat(100)}${']'.repeat(100)}`, refusal('nested deeper than 64')],
]
