import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const lint = (body: unknown, path = '/ci/lint', token?: string) =>
  callAs(server, 'POST', path, token, body)

describe('POST /ci/lint', () => {
  it('answers whether a configuration is valid, without a token, under both paths', async () => {
    for (const path of ['/ci/lint', '/lint']) {
      const valid = await lint({ content: 'test:\n  script: echo\n' }, path)
      expect([valid.status, valid.body]).toEqual([200, { status: 'valid', errors: [] }])
      const invalid = await lint({ content: 'test:\n  stage: x\n' }, path, server.root.token)
      expect([invalid.status, invalid.body]).toEqual([
        200,
        {
          status: 'invalid',
          errors: ['jobs:test config should implement a script: or a trigger: keyword'],
        },
      ])
    }
  })

  it('answers 400 without content, and for more than a mebibyte, which needs a token', async () => {
    const { token } = server.root
    expect((await lint({})).body).toEqual({ error: 'content is missing' })
    expect((await lint({ content: '' })).body).toEqual({
      status: 'invalid',
      errors: ['Please provide content of .gitlab-ci.yml'],
    })
    const tooLong = { content: `#${'x'.repeat(1_048_576)}` }
    expect((await lint(tooLong)).status).toBe(413)
    const long = await lint(tooLong, '/lint', token)
    expect([long.status, long.body]).toEqual([
      400,
      { error: 'content is too long (maximum is 1048576 characters)' },
    ])
    const longest = { content: `test: {script: x}\n#${'x'.repeat(1_048_500)}` }
    expect((await lint(longest, '/lint', token)).body).toEqual({ status: 'valid', errors: [] })
  })

  it('answers many at a time, long ones in another thread than short ones', async () => {
    const jobs = Array.from({ length: 5000 }, (_, at) => `job${at}:\n  script: x`).join('\n')
    const contents = Array.from({ length: 12 }, (_, at) => (at % 4 === 0 ? jobs : 'a: {script: x}'))
    const answers = await Promise.all(
      contents.map((content) => lint({ content }, '/lint', server.root.token)),
    )
    expect(answers.map(({ body }) => body.status)).toEqual(contents.map(() => 'valid'))
  })
})
