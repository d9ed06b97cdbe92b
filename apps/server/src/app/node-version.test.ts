import { describe, expect, it } from 'vitest'
import { nodeVersionProblem } from './node-version.ts'

describe('nodeVersionProblem', () => {
  it.each(['24.7.0', '24.21.0', '26.0.0'])('is nothing for %s', (version) => {
    expect(nodeVersionProblem(version)).toBeUndefined()
  })

  it.each(['20.20.2', '24.6.1'])('says for %s what is needed', (version) => {
    expect(nodeVersionProblem(version)).toContain(
      `needs Node.js 24.7 or later, and this is ${version}`,
    )
  })
})
