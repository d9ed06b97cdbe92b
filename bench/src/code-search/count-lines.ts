import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** How many files a program found, and how long it took. */
export interface FilesFound {
  ms: number
  files: number
}

/** Counts the lines that a program writes, up to a limit; the line after it ends the program. */
export async function countLines(program: ChildProcess, limit: number): Promise<number> {
  const ended = once(program, 'close')
  let lines = 0
  program.stdout?.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === lineFeed) lines += 1
    if (lines > limit) program.kill()
  })
  await ended
  return lines
}

const lineFeed = 0x0a
