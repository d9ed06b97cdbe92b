import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type InjectInput, type TestServer } from '../testing/test-server.ts'

const json = { 'content-type': 'application/json' }

/** Keys that differ, with values. */
const manyKeys = (count: number) => Array.from({ length: count }, (_, key) => `"k${key}":0`).join()

/** Invalid bodies for POST /projects, with the expected error. */
const cases: [
  name: string,
  input: InjectInput & { raw?: string },
  status: number,
  error: RegExp,
][] = [
  ['malformed JSON', { form: '{"name":', headers: json }, 400, /not valid JSON/],
  ['a JSON array', { body: [1, 2] }, 400, /must be an object/],
  ['a JSON string', { body: 'name' }, 400, /must be an object/],
  ['a JSON number', { body: 5 }, 400, /must be an object/],
  ['nothing', { body: {} }, 400, /name, path are missing/],
  [
    'another content type',
    { form: '<a/>', headers: { 'content-type': 'text/xml' } },
    415,
    /text\/xml/,
  ],
  ['a NUL byte', { body: { name: 'a\0b' } }, 400, /name is invalid/],
  ['a lone surrogate', { form: '{"name":"\\ud800"}', headers: json }, 400, /name is invalid/],
  ['an object instead of a string', { body: { name: { a: 1 } } }, 400, /name is invalid/],
  ['a list instead of a string', { body: { name: ['a'] } }, 400, /name is invalid/],
  [
    'an unknown word',
    { body: { name: 'a', visibility: 'secret' } },
    400,
    /visibility does not have a valid value/,
  ],
  [
    'a text for a number',
    { body: { name: 'a', namespace_id: 'x' } },
    400,
    /namespace_id is invalid/,
  ],
  [
    'a malformed number',
    { body: { name: 'a', namespace_id: 1.5 } },
    400,
    /namespace_id is invalid/,
  ],
  [
    'a huge number',
    { form: '{"name":"a","namespace_id":1e400}', headers: json },
    400,
    /namespace_id/,
  ],
  [
    'a text for a boolean',
    { body: { name: 'a', lfs_enabled: 'maybe' } },
    400,
    /lfs_enabled is invalid/,
  ],
  [
    '10,000 elements',
    { body: { name: 'a', tag_list: Array(10_000).fill('x') } },
    400,
    /tag_list is invalid/,
  ],
  [
    '__proto__ in JSON',
    { form: '{"name":"a","__proto__":{"admin":true}}', headers: json },
    400,
    /not allowed/,
  ],
  [
    'constructor.prototype in JSON',
    { form: '{"name":"a","constructor":{"prototype":{"x":1}}}', headers: json },
    400,
    /not allowed/,
  ],
  [
    'an escaped __proto__',
    { form: '{"name":"a","\\u005f_proto__":{"x":1}}', headers: json },
    400,
    /not allowed/,
  ],
  [
    'a long list in JSON that is looked through for such keys',
    { form: `{"name":"constructor","tag_list":[${Array(200_000).fill(0)}]}`, headers: json },
    400,
    /tag_list is invalid/,
  ],
  [
    'a hundred thousand elements',
    { form: `{"name":"a","tag_list":[${'0,'.repeat(100_000)}0]}`, headers: json },
    400,
    /tag_list is invalid/,
  ],
  [
    'a million elements',
    { form: `{"name":"a","tag_list":[${'0,'.repeat(1_000_000)}0]}`, headers: json },
    400,
    /too many values/,
  ],
  [
    'a million elements after a text that ends in backslashes',
    { form: `{"a":"\\\\","b\\"":"\\"[","tag_list":[${'0,'.repeat(1_000_000)}0]}`, headers: json },
    400,
    /too many values/,
  ],
  [
    'a thousand parameters',
    { form: `{"name":["x"],${manyKeys(999)}}`, headers: json },
    400,
    /name is invalid/,
  ],
  [
    'a thousand parameters and one more',
    { form: `{"name":["x"],${manyKeys(1000)}}`, headers: json },
    400,
    /too many values/,
  ],
  [
    'fifty thousand keys of one object',
    { form: `{"tag_list":{${manyKeys(49_999)}}}`, headers: json },
    400,
    /tag_list is invalid/,
  ],
  [
    'fifty thousand keys of one object and one more',
    { form: `{"tag_list":{${manyKeys(50_000)}}}`, headers: json },
    400,
    /too many values/,
  ],
  [
    'as many keys of as many objects',
    { form: `{"tag_list":[{${manyKeys(50_000).replaceAll(',', '},{')}}]}`, headers: json },
    400,
    /too many values/,
  ],
  [
    'a text of brackets between escaped quotes',
    { form: JSON.stringify({ name: 'a', tag_list: '\\"['.repeat(100_000) }), headers: json },
    400,
    /tag_list/,
  ],
  ['a million commas', { body: { name: 'a', tag_list: ','.repeat(1_000_000) } }, 400, /tag_list/],
  ['a long text', { body: { name: 'a', ci_config_path: 'x'.repeat(4097) } }, 400, /is 4096 char/],
  ['__proto__ in a form', { form: 'name=a&__proto__[x]=1' }, 400, /invalid/],
  [
    'a form that contradicts itself',
    { form: 'name=a&tag_list[]=1&tag_list[x]=2' },
    400,
    /tag_list is invalid/,
  ],
  ['invalid percent-encoding', { form: 'name=%E0%A4%A' }, 400, /percent-encoded/],
  ['millions of brackets', { form: `name${'[b]'.repeat(2_000_000)}=1` }, 400, /nested too deeply/],
  ['deep nesting', { form: 'name[a][b][c][d][e][f][g][h][i]=1' }, 400, /nested too deeply/],
  [
    'several errors',
    { body: { name: ['x'], visibility: 'x' } },
    400,
    /name is invalid, visibility does not have a valid value/,
  ],
  [
    'broken multipart',
    { form: 'nonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    400,
    /./,
  ],
  [
    'multipart without a boundary',
    { form: 'x', headers: { 'content-type': 'multipart/form-data' } },
    400,
    /./,
  ],
]

describe('POST /projects with bad input', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildTestServer()
  })
  afterAll(() => server.close())

  async function countProjects(): Promise<string | undefined> {
    const { headers } = await server.inject('GET', '/projects', { token: server.root.token })
    return headers['x-total']
  }

  it.each(cases)(
    'answers %s with a 4xx and a reason, and writes nothing',
    async (_name, input, status, error) => {
      const before = await countProjects()
      const answer = await server.inject('POST', '/projects', {
        token: server.root.token,
        ...input,
      })
      expect(answer.status).toBe(status)
      expect(JSON.stringify(answer.body)).toMatch(error)
      expect(await countProjects()).toBe(before)
      expect({}).not.toHaveProperty('admin')
    },
  )

  it('returns 413 for a body over the limit', async () => {
    const body = { name: 'x'.repeat(9 * 1024 * 1024) }
    const answer = await server.inject('POST', '/projects', { token: server.root.token, body })
    expect(answer.status).toBe(413)
  })

  it.each([
    'since=yesterday',
    'since=2020-13-40',
    'until=2020-02-30T00:00:00Z',
    'since[]=2020-01-01',
  ])('answers 400 for a bad date: %s', async (query) => {
    const project = await server.buildProject()
    const path = `/projects/${project.id}/repository/commits`
    const answer = await server.inject('GET', path, { token: server.root.token, query })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/^(since|until) is invalid$/)
  })

  const queries = [
    'a=%zz',
    '%ff=1',
    '%ed%a0%80=1',
    'a[=1',
    'a=1&a[b]=2',
    'a[]=1&a[b]=2',
    'constructor=1',
    'a[__proto__]=b',
    'custom_attributes[__proto__]=b',
    `a${'[b]'.repeat(17)}=1`,
  ]
  const paths = [
    '/projects',
    '//users/sign_in',
    '//x.git/info/refs',
    '//-/health',
    '/no_such_thing',
  ]
  it.each(queries.flatMap((query) => paths.map((path) => [path, query] as const)))(
    'returns 400 for GET %s?%s, through a socket too',
    async (path, query) => {
      expect((await server.inject('GET', path, { query })).status).toBe(400)
      const base = await server.url()
      const address = path.startsWith('//') ? path.slice(1) : `/api/v4${path}`
      const answer = await fetch(`${base}${address}?${query}`)
      expect(answer.status).toBe(400)
      expect((await fetch(`${base}/-/liveness`)).status).toBe(200)
    },
  )

  it.each([
    '%',
    '%zz',
    '%00',
    '%ff',
    '..%2f..',
    'a%2f%2fb',
    `${'x'.repeat(300)}`,
    '-1',
    '1e9',
    '99999999999999999999',
  ])('answers GET /projects/%s with a 4xx', async (id) => {
    const answer = await server.inject('GET', `/projects/${id}`, { token: server.root.token })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })
})
