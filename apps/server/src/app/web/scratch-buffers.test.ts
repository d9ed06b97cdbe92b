import { describe, expect, it } from 'vitest'
import { createScratchBuffers } from './scratch-buffers.ts'

describe('scratch buffers', () => {
  it.each(['', 'abc', 'ä–🎉', 'x'.repeat(16), 'x'.repeat(17), '🎉'.repeat(5)])(
    'encode %j in UTF-8',
    (text) => {
      const { bytes } = createScratchBuffers({ bytes: 16, kept: 1 }).encode(text)
      expect(bytes.toString()).toBe(text)
    },
  )

  it('use memory again once it was given back, and not before', () => {
    const buffers = createScratchBuffers({ bytes: 16, kept: 1 })
    const one = buffers.encode('one')
    const two = buffers.encode('two')
    expect(one.bytes.toString()).toBe('one')
    expect(two.bytes.buffer).not.toBe(one.bytes.buffer)
    one.release()
    two.release()
    expect(buffers.encode('x').bytes.buffer).toBe(one.bytes.buffer)
    expect(buffers.encode('y').bytes.buffer).not.toBe(two.bytes.buffer)
  })

  it('give longer texts memory of their own', () => {
    const buffers = createScratchBuffers({ bytes: 4, kept: 1 })
    const long = buffers.encode('longer')
    long.release()
    expect(buffers.encode('x').bytes.buffer).not.toBe(long.bytes.buffer)
  })
})
