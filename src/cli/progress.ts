// A progress bar on stderr for long work, if stderr is a terminal.
import cliProgress from 'cli-progress'

export interface Bar {
  /** Sets the progress; `of` sets the total if it is known only later. */
  at(value: number, of?: number): void
  done(): void
}

const SILENT: Bar = { at: () => undefined, done: () => undefined }

/** @param unit the counted unit. Without a known total only the count is shown. With `quiet` nothing is drawn. */
export function bar(
  title: string,
  unit: string,
  {
    whole = true,
    quiet = false,
    out = process.stderr,
  }: { whole?: boolean; quiet?: boolean; out?: NodeJS.WriteStream } = {},
): Bar {
  if (quiet || !out.isTTY) return SILENT
  const format = whole ? `${title} {bar} {percentage}% {value}/{total} ${unit}` : `${title} {value} ${unit}`
  const shown = new cliProgress.SingleBar({
    format,
    stream: out,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 100,
  })
  let started = false
  return {
    at(value, of = 0) {
      if (!started) shown.start(of, value)
      started = true
      if (of > 0) shown.setTotal(of)
      shown.update(value)
    },
    done: () => shown.stop(),
  }
}
