// A batch from a file: reads and checks the rows, shows the estimated cost, and creates the batch with one request.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ImportProblems, importItems, importText, type ImportItem } from '../../import-files/items.ts'
import { RequestRefused } from '../api.ts'
import { Estimate } from './estimate.tsx'
import { FeePayerChoice, useFeePayers } from './fee-payer.tsx'
import { operationsOf } from './form-schema.ts'
import { Heading } from '../records/heading.tsx'
import { Problems, useLoaded } from '../loading.tsx'
import { useMaking, type FormReview } from './making.ts'
import { go, href } from '../route.ts'
import { grouped, Text } from '../text.tsx'
import { Unsure } from './unsure.tsx'
import { textAt } from '../value.ts'

const PATH = '/batches'
const MAX_SHOWN = 100
/** Limits of one request. */
const MAX_ITEMS = 10_000

interface Read {
  readonly name: string
  readonly items: readonly ImportItem[]
  readonly problems: readonly string[]
}

export function BatchUpload(): VNode {
  const [operation, setOperation] = useState('TRANSFER')
  const [reference, setReference] = useState('')
  const [stopOnFailure, setStops] = useState(false)
  const [file, setFile] = useState<Read | null>(null)
  const [feePayer, setFeePayer] = useState('')
  const feePayers = useFeePayers(PATH)
  const making = useMaking({
    method: 'POST',
    path: PATH,
    hasDryRun: true,
    isCheckedFirst: true,
    feePayer: feePayer === '' ? null : feePayer,
    content: () => ({
      itemData: {
        operation,
        items: (file?.items ?? []).map(({ itemData }) => itemData),
        stopOnFailure,
        ...(reference.trim() === '' ? {} : { externalReference: reference.trim() }),
      },
      meant: [],
    }),
  })
  const { change } = making
  useEffect(() => {
    const made = textAt(making.made, 'newBatch.offchainId')
    if (made !== null) go(href('batches', made))
  }, [making.made])
  return (
    <>
      <Introduction />
      <form class="make" onSubmit={making.submit}>
        <fieldset class="entries" disabled={making.isFixed}>
          <Operation chosen={operation} choose={(each) => change(() => setOperation(each))} />
          <FileChoice choose={(read) => change(() => setFile(read))} />
          <Reference text={reference} set={(text) => change(() => setReference(text))} />
          <StopsChoice stops={stopOnFailure} set={(stops) => change(() => setStops(stops))} />
          {file !== null && <FileRead file={file} />}
          {feePayers.choice.length > 0 && (
            <FeePayerChoice
              choice={feePayers.choice}
              chosen={feePayer}
              choose={(id) => change(() => setFeePayer(id))}
            />
          )}
        </fieldset>
        <Verdict making={making} items={file?.items ?? []} isReadable={file?.problems.length === 0} />
      </form>
    </>
  )
}

function Introduction(): VNode {
  return (
    <>
      <p class="way">
        <a href={href('new')}>New</a>
      </p>
      <Heading>Batch from a file</Heading>
      <p class="quiet">
        The first row of the file names the members of an item, such as{' '}
        <code>source.owner.offchainReferences.code</code>; each further row is one item. Nothing is made before it was
        checked.
      </p>
    </>
  )
}

function FileChoice({ choose }: { choose: (read: Read | null) => void }): VNode {
  const turn = useRef(0)
  /** Until the file is read, none is chosen: the former one is not shown any more. */
  const read = async (chosen: File | undefined): Promise<void> => {
    turn.current += 1
    const mine = turn.current
    choose(null)
    if (chosen === undefined) return
    const content = await contentOf(chosen)
    if (mine === turn.current) choose(content)
  }
  return (
    <div class="field">
      <label for="batch-file">File (CSV, or one JSON object for each line)</label>
      <input
        id="batch-file"
        type="file"
        required
        accept=".csv,.jsonl,.ndjson,text/csv"
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </div>
  )
}

function StopsChoice({ stops, set }: { stops: boolean; set: (stops: boolean) => void }): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={stops}
        onChange={(event) => {
          set(event.currentTarget.checked)
        }}
      />{' '}
      Make the items in order, and cancel the rest when one fails
    </label>
  )
}

function Operation({ chosen, choose }: { chosen: string; choose: (operation: string) => void }): VNode {
  const operations = useLoaded('operations', async () => await operationsOf(PATH))
  return (
    <div class="field">
      <label for="batch-operation">Operation</label>
      <select id="batch-operation" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {(operations.value ?? [chosen]).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </div>
  )
}

function Reference({ text, set }: { text: string; set: (text: string) => void }): VNode {
  return (
    <div class="field">
      <label for="batch-reference">Reference</label>
      <input
        id="batch-reference"
        value={text}
        dir="auto"
        autocomplete="off"
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  )
}

interface VerdictProps {
  readonly making: FormReview
  readonly items: readonly ImportItem[]
  readonly isReadable: boolean
}

/** The estimated cost or the problems, and the button. */
function Verdict({ making, items, isReadable }: VerdictProps): VNode {
  const { estimate, isChecked, error, busy, isUnsure, restart } = making
  const label = 'Make the batch'
  return (
    <>
      {estimate !== null && <Estimate of={estimate} />}
      {error !== null && (
        <div class="trouble" role="alert">
          <Rows of={rowProblems(error, items)} error={error} />
        </div>
      )}
      {isUnsure && !busy && <Unsure label={label} leave={restart} />}
      <div class="buttons">
        <button type="submit" class="primary" disabled={busy || !isReadable}>
          {busy ? 'Working…' : isChecked ? label : 'Check'}
        </button>
      </div>
    </>
  )
}

/** The browser reads no file that was changed or removed since it was chosen. */
async function contentOf(file: File): Promise<Read> {
  try {
    return readItems(file.name, new Uint8Array(await file.arrayBuffer()))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return { name: file.name, items: [], problems: [`The file cannot be read: ${reason}`] }
  }
}

function readItems(name: string, bytes: Uint8Array): Read {
  try {
    const items = importItems(importText(bytes), /\.(?:jsonl|ndjson)$/i.test(name) ? 'jsonl' : 'csv')
    const problems =
      items.length === 0
        ? ['The file contains no items.']
        : items.length > MAX_ITEMS
          ? [`The file contains ${items.length} items, and a batch takes ${MAX_ITEMS} at most.`]
          : []
    return { name, items, problems }
  } catch (error) {
    if (error instanceof ImportProblems) return { name, items: [], problems: error.problems }
    throw error
  }
}

function FileRead({ file: { name, items, problems } }: { file: Read }): VNode {
  if (problems.length === 0)
    return (
      <p role="status">
        <Text>{name}</Text>: {grouped(String(items.length))} {items.length === 1 ? 'item' : 'items'}
      </p>
    )
  return (
    <div class="trouble" role="alert">
      <Listed of={problems} />
    </div>
  )
}

function Listed({ of }: { of: readonly string[] }): VNode {
  return (
    <ul class="plain">
      {of.slice(0, MAX_SHOWN).map((line) => (
        <li key={line}>
          <Text>{line}</Text>
        </li>
      ))}
      {of.length > MAX_SHOWN && <li>and {grouped(String(of.length - MAX_SHOWN))} more</li>}
    </ul>
  )
}

/** The problems of items, each with its line; other problems verbatim. */
function Rows({ of, error }: { of: readonly string[]; error: unknown }): VNode {
  return of.length === 0 ? <Problems error={error} /> : <Listed of={of} />
}

/** Empty if a problem is not about an item. */
function rowProblems(error: unknown, items: readonly Pick<ImportItem, 'line'>[]): string[] {
  if (!(error instanceof RequestRefused)) return []
  const rows = error.problems.map(({ code, message, pointer }) => {
    const [, index, member] = /^\/itemData\/items\/(\d+)(?:\/(.*))?$/.exec(pointer ?? '') ?? []
    const line = index === undefined ? undefined : items[Number(index)]?.line
    return line === undefined
      ? null
      : `line ${line}: ${member === undefined ? '' : `${member.replaceAll('/', '.')}: `}${code}: ${message}`
  })
  return rows.every((row) => row !== null) ? rows : []
}
