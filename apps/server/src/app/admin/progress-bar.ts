/** Where a bar is drawn: a terminal, or a file, which gets nothing. */
export type Screen = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>

export interface ProgressBar {
  /** One more is done. */
  advance(): void
  /** Leaves the line. */
  end(): void
}

const width = 30

/** Draws how many of `total` things are done, in one line of a terminal. */
export function createProgressBar(screen: Screen, total: number, things: string): ProgressBar {
  let done = 0
  let drawn = ''
  function draw(): void {
    const filled = total === 0 ? width : Math.floor((done / total) * width)
    const line = `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${total} ${things}`
    if (line === drawn) return
    drawn = line
    if (screen.isTTY) screen.write(`\r${line}`)
  }
  draw()
  return {
    advance() {
      done += 1
      draw()
    },
    end() {
      if (screen.isTTY) screen.write('\n')
    },
  }
}
