import { describe, expect, it } from 'vitest'
import { findReadme } from './readme.rules.ts'

describe('findReadme', () => {
  it('prefers Markdown', () => {
    expect(findReadme(['README', 'README.md', 'readme.txt'])).toBe('README.md')
  })

  it('accepts any case and a name without extension', () => {
    expect(findReadme(['src', 'ReadMe'])).toBe('ReadMe')
  })

  it('is null without a README', () => {
    expect(findReadme(['readme.pdf', 'notreadme.md'])).toBeNull()
  })
})
