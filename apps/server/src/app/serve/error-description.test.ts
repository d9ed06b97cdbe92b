import { describe, expect, it } from 'vitest'
import { describeError } from './error-description.ts'

describe('describeError', () => {
  it('keeps type, message, code, stack and causes', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNREFUSED' })
    const error = new Error('outer', { cause })
    expect(describeError(error)).toEqual({
      type: 'Error',
      message: 'outer',
      stack: error.stack,
      cause: { type: 'TypeError', message: 'inner', code: 'ECONNREFUSED', stack: cause.stack },
    })
    expect(describeError('text')).toEqual({ type: 'string', message: 'text' })
  })

  it('leaves out what else an error carries', () => {
    const error = Object.assign(new Error('failed'), {
      headers: { authorization: 'Bearer secret' },
      parameters: ['secret'],
      detail: 'Key (token)=(secret) already exists',
    })
    expect(JSON.stringify(describeError(error))).not.toContain('secret')
  })

  it('masks credentials in URLs', () => {
    const text =
      'https://user:secret@host/a?private_token=secret&page=2 http://secret@host ' +
      'https://host/oauth?code=secret'
    const { message, stack } = describeError(new Error(text))
    expect(`${message} ${stack}`).not.toContain('secret')
    expect(message).toBe(
      'https://[masked]@host/a?private_token=[masked]&page=2 http://[masked]@host ' +
        'https://host/oauth?code=[masked]',
    )
  })

  it('ends', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000)
    expect(describeError(new Error('x'.repeat(1e6))).message).toHaveLength(10_000)
  })
})
