import { describe, expect, it } from 'vitest'
import { maxSnippetBytes, snippetProblems } from './snippet.rules.ts'

const smile = '😀'

describe('snippetProblems', () => {
  it('accepts absent texts', () => {
    expect(snippetProblems({})).toEqual({})
  })

  it('accepts texts up to their limits, in characters and bytes', () => {
    const texts = {
      title: smile.repeat(255),
      fileName: 'a'.repeat(255),
      description: 'a'.repeat(1_000_000),
      content: 'a'.repeat(maxSnippetBytes),
    }
    expect(snippetProblems(texts)).toEqual({})
    expect(snippetProblems({ fileName: '', description: null })).toEqual({})
  })

  it.each([
    [{ title: ' ' }, { title: ["can't be blank"] }],
    [{ title: smile.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
    [{ fileName: 'a'.repeat(256) }, { file_name: ['is too long (maximum is 255 characters)'] }],
    [
      { description: 'a'.repeat(1_000_001) },
      { description: ['is too long (maximum is 1000000 characters)'] },
    ],
    [{ content: ' \n' }, { content: ["can't be blank"] }],
    [
      { content: `${'a'.repeat(maxSnippetBytes - 1)}é` },
      { content: ['is too long (maximum is 1048576 bytes)'] },
    ],
  ])('states the limit, case %#', (texts, problems) => {
    expect(snippetProblems(texts)).toEqual(problems)
  })
})
