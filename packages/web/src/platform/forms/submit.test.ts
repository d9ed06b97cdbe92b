import { StithyError } from '@stithy/client'
import { describe, expect, it } from 'vitest'
import { submit } from './submit.ts'

const call = { method: 'POST', path: '/projects' }

describe('submit', () => {
  it('returns the value of the call', async () => {
    expect(await submit(Promise.resolve(1))).toEqual({ ok: true, value: 1 })
  })

  it('names the fields that are wrong, in sentences', async () => {
    const detail = { status: 400, fields: { path: ['has already been taken'] } }
    const failure = Promise.reject(new StithyError('validation_failed', 'x', call, detail))
    expect(await submit(failure, { path: 'project-path' })).toEqual({
      ok: false,
      formErrors: [{ field: 'project-path', text: 'Path has already been taken.' }],
    })
  })

  it('gives the reason of a refusal without fields', async () => {
    const refusal = new StithyError('forbidden', '403 Forbidden', call, { status: 403 })
    expect(await submit(Promise.reject(refusal))).toEqual({
      ok: false,
      formErrors: [{ field: '', text: '403 Forbidden.' }],
    })
  })

  it('throws what nobody can mend by typing', async () => {
    const missing = new StithyError('not_found', '404 Not found', call, { status: 404 })
    await expect(submit(Promise.reject(missing))).rejects.toBe(missing)
    await expect(submit(Promise.reject(new Error('x')))).rejects.toThrow('x')
  })
})
