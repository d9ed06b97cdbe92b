import { describe, expect, it } from 'vitest'
import { findReadme } from './readme.rules.ts'

describe('findReadme', () => {
  it('prefers Markdown', () => {
    expect(findReadme(['README', 'README.md', 'readme.txt'])).toBe('README.md')
  })

  it('takes any case and a bare name', () => {
    expect(findReadme(['src', 'ReadMe'])).toBe('ReadMe')
  })

  it('is null where there is none', () => {
    expect(findReadme(['readme.pdf', 'notreadme.md'])).toBeNull()
  })
})
