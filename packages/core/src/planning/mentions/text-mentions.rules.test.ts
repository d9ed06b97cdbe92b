import { describe, expect, it } from 'vitest'
import { scanMentions } from './text-mentions.rules.ts'

const scan = (text: string, previous?: string) => scanMentions({ text, previous }, {})

describe('scanMentions', () => {
  it('lists names in lower case, and those that the previous text has', () => {
    expect(scan('@Ann: ask @bob and @Bob', 'ask @BOB and @eve')).toMatchObject({
      addressed: ['ann'],
      mentioned: ['bob'],
      previousNames: ['bob'],
    })
  })

  it('lists items once that the previous text does not have', () => {
    const { newItems } = scan('#1 #2 #2 !2 a/b#2 ~bug %m', '#1')
    expect(newItems.map(({ kind, path, id }) => [kind, path, id])).toEqual([
      ['issue', null, 2],
      ['merge_request', null, 2],
      ['issue', 'a/b', 2],
    ])
  })

  it('stops at 500 names and 200 items', () => {
    const names = Array.from({ length: 300 }, (_, at) => `@a${at}`).join(' ')
    const others = Array.from({ length: 300 }, (_, at) => `x @b${at}`).join(' ')
    const items = Array.from({ length: 300 }, (_, at) => `#${at + 1}`).join(' ')
    const { addressed, mentioned, newItems } = scan(`${names} ${others} ${items}`)
    expect([addressed.length, mentioned.length, newItems.length]).toEqual([300, 200, 200])
  })
})
