// Jobs with their results, computed by hand. A text is the value; `fails` is part of the reason of a job that runs into
// an error, `refused` part of the reason of one that is never run.
import { HOST } from './world.ts'

export type Expected = string | { readonly fails: string } | { readonly refused: string }
export type Row = readonly [what: string, definition: unknown, expected: Expected]

export const value = (number: number) => ({ valueTask: { value: number } })
export const big = (text: string) => ({ valueTask: { big: text } })
export const utf8 = (text: string) => ({ valueTask: { utf8: text } })
export const http = (path: string, more: object = {}) => ({ httpTask: { url: `${HOST}${path}`, ...more } })
export const json = (path: string, aggregationMethod?: string | number) => ({
  jsonParseTask: { path, ...(aggregationMethod === undefined ? {} : { aggregationMethod }) },
})
export const tasks = (...list: readonly unknown[]) => ({ tasks: list })
const fails = (reason: string) => ({ fails: reason })
const refusal = (reason: string) => ({ refused: reason })
const regex = (pattern: string, groupNumber?: number) => ({
  regexExtractTask: { pattern, ...(groupNumber === undefined ? {} : { groupNumber }) },
})
const dead = tasks(http('/gone'))

export const HTTP: readonly Row[] = [
  ['a member of an answer', tasks(http('/price'), json('$.price')), '123.45'],
  ['a number keeps all its digits', tasks(http('/exact'), json('$.price')), '1234567890.1234567890123456789012345678'],
  ['a number in a string', tasks(http('/text'), json('$.price')), '99.5'],
  ['an answer that is a number', tasks(http('/number')), '42.5'],
  ['blanks around a number', tasks(http('/blank')), '17.25'],
  ['JSON that is a number', tasks(http('/number'), json('$')), '42.5'],
  ['404', tasks(http('/gone')), fails('job 1, task 1 (httpTask): the host answers 404')],
  ['500', tasks(http('/error')), fails('the host answers 500')],
  ['a redirect', tasks(http('/moved')), fails('the host answers 301')],
  ['no such host', tasks(http('/none')), fails('the request is not allowed')],
  ['bytes that are no text', tasks(http('/latin')), fails('no UTF-8')],
  ['an empty answer', tasks(http('/empty')), fails('no number')],
  ['a page', tasks(http('/page')), fails('no number')],
  ['method by number', tasks(http('/number', { method: 1 })), '42.5'],
  ['method by name', tasks(http('/number', { method: 'METHOD_GET' })), '42.5'],
  ['a method that was never set', tasks(http('/number', { method: 'METHOD_UNKOWN' })), '42.5'],
  ['POST with a body', tasks(http('/number', { method: 'METHOD_POST', body: '{}' })), '42.5'],
  ['a header', tasks(http('/number', { headers: [{ key: 'X-Key', value: 'k' }] })), '42.5'],
  ['a method of HTTP', tasks(http('/number', { method: 'GET' })), refusal('method must be one of')],
  ['a body of a GET', tasks(http('/number', { body: 'x' })), refusal('a GET has no body')],
  ['no url', tasks({ httpTask: {} }), refusal('url is required')],
  ['another scheme', tasks({ httpTask: { url: 'file:///etc/passwd' } }), refusal('http or https')],
  ['no url at all', tasks({ httpTask: { url: 'feeds.example' } }), refusal('http or https')],
  ['a url that is no string', tasks({ httpTask: { url: 1 } }), refusal('url must be a string')],
  ['a host header', tasks(http('/number', { headers: [{ key: 'Host', value: 'x' }] })), refusal('Host cannot be set')],
  [
    'a header of a proxy',
    tasks(http('/number', { headers: [{ key: 'X-Forwarded-For', value: 'x' }] })),
    refusal('cannot be set'),
  ],
  ['two headers in one', tasks(http('/number', { headers: [{ key: 'A', value: 'x\r\nB: y' }] })), refusal('printable')],
  [
    'a header without a name',
    tasks(http('/number', { headers: [{ key: 'A B', value: 'x' }] })),
    refusal('no name of a header'),
  ],
  [
    'a header too many',
    tasks(http('/number', { headers: Array.from({ length: 17 }, () => ({ key: 'A', value: '' })) })),
    refusal('more than 16 headers'),
  ],
  [
    'a header with more',
    tasks(http('/number', { headers: [{ key: 'A', value: '', extra: 1 }] })),
    refusal('header 1: extra is not known here'),
  ],
]

export const PATHS: readonly Row[] = [
  ['nested members', tasks(http('/nested'), json('$.a.b[1].c')), '2.5'],
  ['from the end', tasks(http('/nested'), json('$.a.b[-1].c')), '3'],
  ['a quoted name', tasks(http('/nested'), json("$['a']['odd name']")), '7'],
  ['a name with a dash', tasks(http('/nested'), json('$.a.usd-price')), '8'],
  ['a digit as a name', tasks(http('/nested'), json('$.a.b.0.c')), '1'],
  [
    'several without aggregation',
    tasks(http('/list'), json('$[*]')),
    fails('leads to 4 values, which needs an aggregationMethod'),
  ],
  ['one of a wildcard', tasks(http('/price'), json('$.*')), '123.45'],
  ['the least', tasks(http('/list'), json('$[*]', 'MIN')), '10'],
  ['the greatest', tasks(http('/list'), json('$[*]', 'MAX')), '40'],
  ['the sum', tasks(http('/list'), json('$[*]', 'SUM')), '100'],
  ['the mean', tasks(http('/list'), json('$[*]', 'MEAN')), '25'],
  ['the median of an even count', tasks(http('/list'), json('$[*]', 'MEDIAN')), '25'],
  ['aggregation by number', tasks(http('/list'), json('$[*]', 3)), '100'],
  ['mixed numbers and strings', tasks(http('/nested'), json('$.a.b[*].c', 'SUM')), '6.5'],
  ['a slice', tasks(http('/list'), json('$[1:3]', 'SUM')), '50'],
  ['a slice from the end', tasks(http('/list'), json('$[-2:]', 'SUM')), '70'],
  ['a slice with steps', tasks(http('/list'), json('$[::2]', 'SUM')), '40'],
  ['a filter for text', tasks(http('/quotes'), json("$[?(@.s == 'ETH')].p")), '3200'],
  ['a filter in double quotes', tasks(http('/quotes'), json('$[?(@.s=="SOL")].p')), '150.25'],
  ['a filter for other text', tasks(http('/quotes'), json("$[?(@.s != 'BTC')].p", 'MAX')), '3200'],
  ['a filter for a number', tasks(http('/quotes'), json('$[?(@.p > 1000)].p', 'MIN')), '3200'],
  ['a filter for truth', tasks(http('/quotes'), json('$[?(@.live == true)].p', 'MIN')), '150.25'],
  ['a filter for null', tasks(http('/quotes'), json('$[?(@.note == null)].p')), '150.25'],
  ['a filter for what is there', tasks(http('/quotes'), json('$[?(@.note)].p')), '150.25'],
  ['a filter that finds nothing', tasks(http('/quotes'), json("$[?(@.s == 'DOGE')].p")), fails('leads to nothing')],
  ['no such member', tasks(http('/price'), json('$.cost')), fails('leads to nothing')],
  ['beyond the end', tasks(http('/list'), json('$[4]')), fails('leads to nothing')],
  ['null', tasks(http('/null'), json('$.n')), fails('leads to null')],
  ['a truth', tasks(http('/null'), json('$.t')), fails('no number')],
  ['an object is read on', tasks(http('/nested'), json('$.a'), json('$.usd-price')), '8'],
  ['words are not summed', tasks(http('/words'), json('$[*]', 'SUM')), fails('something that is no number')],
  ['no JSON', tasks(http('/page'), json('$.a')), fails('task 2 (jsonParseTask): the value is no JSON')],
  ['JSON that breaks off', tasks(http('/broken'), json('$.price')), fails('an object does not end')],
  ['the last of a name that comes twice', tasks(http('/twice'), json('$.n')), '2'],
  ['names that mean something elsewhere', tasks(http('/proto'), json('$.*', 'SUM')), '18'],
  ['a name of every object', tasks(http('/price'), json('$.toString')), fails('leads to nothing')],
  ['a prototype', tasks(http('/price'), json('$.__proto__')), fails('leads to nothing')],
  ['too large a number', tasks(http('/huge'), json('$.n')), fails('too large')],
  ['too small a number', tasks(http('/tiny'), json('$.n')), fails('too small')],
  ['nothing to read', tasks(json('$')), fails('there is no value yet')],
  ['a script', tasks(http('/list'), json('$[(@.length-1)]')), refusal('the path is not understood')],
  ['a filter that calls', tasks(http('/list'), json('$[?(process.exit())]')), refusal('the path is not understood')],
  ['descent', tasks(http('/list'), json('$..price')), refusal('the path is not understood')],
  ['no root', tasks(http('/price'), json('price')), refusal('begins with $')],
  ['a bracket left open', tasks(http('/list'), json('$[0')), refusal('the path is not understood')],
  ['a slice without steps', tasks(http('/list'), json('$[::0]')), refusal('step 0')],
  [
    'an unknown aggregation',
    tasks(http('/list'), json('$[*]', 'AVERAGE')),
    refusal('aggregationMethod must be one of'),
  ],
]

export const TEXTS: readonly Row[] = [
  ['a pattern', tasks(http('/page'), regex('id=(\\d+)', 1)), '77'],
  ['a whole match', tasks(utf8('abc 12.5 def'), regex('[0-9.]+')), '12.5'],
  ['no match', tasks(http('/page'), regex('nothing-like-it')), fails('the pattern is not found')],
  ['a group that takes no part', tasks(utf8('b1'), regex('(a)?b1', 1)), fails('the pattern is not found')],
  ['a group that is not there', tasks(utf8('a'), regex('a', 1)), refusal('groupNumber 1')],
  ['lookahead', tasks(utf8('a'), regex('a(?=b)')), refusal('not understood')],
  ['a reference back', tasks(utf8('aa'), regex('(a)\\1')), refusal('not understood')],
  ['a pattern that is none', tasks(utf8('a'), regex('(')), refusal('not understood')],
  ['a long pattern', tasks(utf8('a'), regex('a'.repeat(501))), refusal('longer than 500')],
  ['a large pattern', tasks(utf8('a'), regex('(((a{9}){9}){9}){9}')), refusal('pattern')],
  [
    'a pattern that would backtrack for ever',
    tasks(utf8(`${'a'.repeat(500)}!`), regex('(a+)+$')),
    fails('the pattern is not found'),
  ],
  [
    'a mapping',
    tasks(utf8('up'), {
      stringMapTask: {
        mappings: [
          { key: 'up', value: '1' },
          { key: 'down', value: '-1' },
        ],
      },
    }),
    '1',
  ],
  [
    'a default',
    tasks(utf8('flat'), { stringMapTask: { mappings: [{ key: 'up', value: '1' }], defaultValue: '0' } }),
    '0',
  ],
  [
    'no mapping',
    tasks(utf8('flat'), { stringMapTask: { mappings: [{ key: 'up', value: '1' }] } }),
    fails('no mapping is for this value'),
  ],
  ['case counts', tasks(utf8('UP'), { stringMapTask: { mappings: [{ key: 'up', value: '1' }] } }), fails('no mapping')],
  [
    'unless it does not',
    tasks(utf8('UP'), { stringMapTask: { mappings: [{ key: 'up', value: '1' }], caseSensitive: false } }),
    '1',
  ],
  [
    'a mapping of something else',
    tasks(value(3), { stringMapTask: { mappings: [{ key: 'x', value: '5' }], input: 'x' } }),
    '5',
  ],
  ['a mapping without mappings', tasks(utf8('a'), { stringMapTask: {} }), refusal('mappings are required')],
  [
    'half a mapping',
    tasks(utf8('a'), { stringMapTask: { mappings: [{ key: 'a' }] } }),
    refusal('mapping 1: key and value are required'),
  ],
]

export const NUMBERS: readonly Row[] = [
  ['a value', tasks(value(1.5)), '1.5'],
  ['a negative value', tasks(value(-0.25)), '-0.25'],
  ['zero', tasks(value(0)), '0'],
  ['a big value', tasks(big('123456789012345678901234567890.12345678')), '123456789012345678901234567890.12345678'],
  ['an exponent', tasks(big('1.5e3')), '1500'],
  ['hex', tasks({ valueTask: { hex: '0xff' } }), '255'],
  [
    'hex without its sign',
    tasks({ valueTask: { hex: 'ffffffffffffffffffffffffffffffff' } }),
    '340282366920938463463374607431768211460',
  ],
  ['a text that is a number', tasks(utf8('12')), '12'],
  ['a text that is none', tasks(utf8('twelve')), fails('no number')],
  ['a number of many digits', '{"tasks":[{"valueTask":{"value":1.2345678901234567}}]}', refusal('more than 15 digits')],
  ['a number out of range', '{"tasks":[{"valueTask":{"value":1e999}}]}', refusal('out of range')],
  ['a number too large', tasks(value(1e200)), refusal('value: the number is too large')],
  ['a number too large, as text', tasks({ valueTask: { big: '1e200' } }), refusal('big: the number is too large')],
  ['an operand too small', tasks(value(1), { addTask: { big: '1e-120' } }), refusal('big: the number is too small')],
  ['no value', tasks({ valueTask: {} }), refusal('one of value, big, hex, utf8 is required')],
  ['two values', tasks({ valueTask: { value: 1, big: '1' } }), refusal('value and big exclude each other')],
  ['a value that is a string', tasks({ valueTask: { value: '1' } }), refusal('value must be a number')],
  ['a big value that is none', tasks(big('1,5')), refusal('big must be a number')],
  ['hex that is none', tasks({ valueTask: { hex: '0xzz' } }), refusal('hexadecimal')],
  ['another aggregator', tasks({ valueTask: { aggregatorPubkey: 'x' } }), refusal('aggregatorPubkey is not supported')],
  ['a sum', tasks(value(0.1), { addTask: { scalar: 0.2 } }), '0.3'],
  ['a sum of sizes apart', tasks(big('1e20'), { addTask: { big: '1e-15' } }), '100000000000000000000.000000000000001'],
  ['a difference', tasks(value(1), { subtractTask: { scalar: 0.9 } }), '0.1'],
  ['a difference to a job', tasks(value(5), { subtractTask: { job: tasks(http('/number')) } }), '-37.5'],
  [
    'a job that begins with the current value',
    tasks(value(5), { multiplyTask: { job: tasks({ addTask: { scalar: 1 } }) } }),
    '30',
  ],
  ['a product', tasks(value(1.1), { multiplyTask: { scalar: 1.1 } }), '1.21'],
  [
    'a product of many digits',
    tasks(big('12345678901234567890'), { multiplyTask: { big: '98765432109876543210' } }),
    '1219326311370217952237463801111263526900',
  ],
  ['a quotient', tasks(value(1), { divideTask: { scalar: 8 } }), '0.125'],
  ['a quotient without end', tasks(value(2), { divideTask: { scalar: 3 } }), `0.${'6'.repeat(37)}7`],
  ['a negative quotient', tasks(value(-1), { divideTask: { scalar: 3 } }), `-0.${'3'.repeat(38)}`],
  ['division by zero', tasks(value(1), { divideTask: { scalar: 0 } }), fails('task 2 (divideTask): division by zero')],
  ['zero by zero', tasks(value(0), { divideTask: { big: '0.0' } }), fails('division by zero')],
  [
    'a quotient by a job that fails',
    tasks(value(1), { divideTask: { job: dead } }),
    fails('job 1, task 2 (divideTask), job, task 1 (httpTask): the host answers 404'),
  ],
  ['a power', tasks(value(1.5), { powTask: { scalar: 3 } }), '3.375'],
  ['a negative power', tasks(value(4), { powTask: { scalar: -2 } }), '0.0625'],
  ['the power 0', tasks(value(0), { powTask: { scalar: 0 } }), '1'],
  ['ten to a power', tasks(value(10), { powTask: { big: '-9' } }), '0.000000001'],
  ['a root', tasks(value(4), { powTask: { scalar: 0.5 } }), fails('only whole powers')],
  ['zero to a negative power', tasks(value(0), { powTask: { scalar: -1 } }), fails('division by zero')],
  ['a power without end', tasks(value(10), { powTask: { scalar: 999 } }), fails('too large')],
  ['a power of a job', tasks(value(2), { powTask: { job: tasks(value(2)) } }), refusal('job is not known here')],
  ['no operand', tasks(value(1), { addTask: {} }), refusal('one of scalar, big, job is required')],
  ['two operands', tasks(value(1), { addTask: { scalar: 1, big: '2' } }), refusal('exclude each other')],
  ['nothing to add to', tasks({ addTask: { scalar: 1 } }), fails('there is no value yet')],
  ['a text to add to', tasks(utf8('x'), { addTask: { scalar: 1 } }), fails('task 2 (addTask): the value is no number')],
  ['rounded up by default', tasks(value(1.21), { roundTask: { decimals: 1 } }), '1.3'],
  ['rounded up', tasks(value(-1.21), { roundTask: { method: 'METHOD_ROUND_UP', decimals: 1 } }), '-1.3'],
  ['rounded down', tasks(value(1.29), { roundTask: { method: 'METHOD_ROUND_DOWN', decimals: 1 } }), '1.2'],
  ['rounded down below zero', tasks(value(-1.29), { roundTask: { method: 1, decimals: 1 } }), '-1.2'],
  ['rounded to whole numbers', tasks(value(1.01), { roundTask: {} }), '2'],
  ['nothing to round', tasks(value(5), { roundTask: { decimals: 3 } }), '5'],
  ['rounded by another name', tasks(value(5), { roundTask: { method: 'UP' } }), refusal('method must be one of')],
  ['rounded to parts', tasks(value(5), { roundTask: { decimals: 1.5 } }), refusal('decimals must be a whole number')],
]
