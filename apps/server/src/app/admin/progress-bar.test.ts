import { describe, expect, it } from 'vitest'
import { createProgressBar } from './progress-bar.ts'

function screen(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 }
}

describe('createProgressBar', () => {
  it('draws how many are done', () => {
    const terminal = screen(true)
    const bar = createProgressBar(terminal, 3, 'things')
    for (let count = 0; count < 3; count += 1) bar.advance()
    bar.end()
    expect(terminal.written).toEqual([
      `\r[${' '.repeat(30)}] 0/3 things`,
      `\r[${'#'.repeat(10)}${' '.repeat(20)}] 1/3 things`,
      `\r[${'#'.repeat(20)}${' '.repeat(10)}] 2/3 things`,
      `\r[${'#'.repeat(30)}] 3/3 things`,
      '\n',
    ])
  })

  it('is full without anything to do, and writes nothing to a file', () => {
    const terminal = screen(true)
    createProgressBar(terminal, 0, 'things')
    expect(terminal.written).toEqual([`\r[${'#'.repeat(30)}] 0/0 things`])
    const file = screen(false)
    createProgressBar(file, 1, 'things').end()
    expect(file.written).toEqual([])
  })
})
