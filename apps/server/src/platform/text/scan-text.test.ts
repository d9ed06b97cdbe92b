import { describe, expect, it } from 'vitest'
import { scanText } from './scan-text.ts'

describe('scanText', () => {
  it('gives others their turn between many short texts', async () => {
    let turns = 0
    let timer = setImmediate(function count() {
      turns += 1
      timer = setImmediate(count)
    })
    const text = '`'.repeat(1024)
    for (let at = 0; at < 64; at += 1) {
      await scanText('closingReferences', text, { webUrl: 'http://127.0.0.1' })
    }
    clearImmediate(timer)
    expect(turns).toBeGreaterThanOrEqual(3)
  })
})
