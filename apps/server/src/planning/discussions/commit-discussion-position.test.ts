import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DiscussionCalls, discussionsOf } from '../../testing/clients/discussions.ts'
import {
  buildCommentedProject,
  type CommentedProject,
} from '../../testing/git/commented-project.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let made: CommentedProject
let token: string
let pathOf: DiscussionCalls['pathOf']
let call: DiscussionCalls['call']
let start: DiscussionCalls['start']
beforeAll(async () => {
  server = await buildTestServer()
  made = await buildCommentedProject(server, { visibility: 'public' })
  token = server.root.token
  ;({ pathOf, call, start } = discussionsOf(server, made))
})
afterAll(() => server.close())

describe('POST …/discussions with a position', () => {
  const at = (changes: object = {}) => ({
    base_sha: made.first,
    start_sha: made.first,
    head_sha: made.second,
    position_type: 'text',
    old_path: 'a.txt',
    new_path: 'a.txt',
    new_line: 15,
    ...changes,
  })

  it('creates a diff note; a reply has the same position', async () => {
    const discussion = await start({ position: at() })
    expect(discussion.individual_note).toBe(false)
    expect(discussion.notes[0].type).toBe('DiffNote')
    expect(discussion.notes[0].position).toEqual({ ...at(), old_line: null })
    const reply = await call('POST', `/${discussion.id}/notes`, { body: 'Because' })
    expect(reply.body).toMatchObject({ type: 'DiffNote', position: { ...at(), old_line: null } })
  })

  it('accepts removed and unchanged lines, renamed files and points in images', async () => {
    for (const change of [
      { new_line: null, old_line: 15 },
      { new_line: 14, old_line: 14 },
      { new_path: 'new.txt', old_path: '', new_line: '1' },
      { new_path: 'amed.txt', old_path: 'old name.txt', new_line: 2 },
    ]) {
      const discussion = await start({ position: at(change) })
      expect(discussion.notes[0].position.new_path).toBe(change.new_path ?? 'a.txt')
    }
    const point = { position_type: 'image', new_line: null, width: 9, height: 8, x: 0, y: 7 }
    const { notes } = await start({ position: at(point) })
    const { new_line: _, ...stored } = { ...at(), ...point }
    expect(notes[0].position).toEqual(stored)
  })

  it('accepts a form body', async () => {
    const entries = Object.entries(at()).map(([name, value]) => [`position[${name}]`, `${value}`])
    const form = new URLSearchParams([['body', 'From a form'], ...(entries as [string, string][])])
    const answer = await server.inject('POST', pathOf(), { token, form: form.toString() })
    expect(answer.status).toBe(201)
    expect(answer.body.notes[0].position).toEqual({ ...at(), old_line: null })
  })

  it('uses the empty tree as the base of a root commit', async () => {
    const empty = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    const position = at({ base_sha: empty, start_sha: empty, head_sha: made.first })
    const body = { body: 'First', position }
    const answer = await server.inject('POST', pathOf('', made.first), { token, body })
    expect(answer.status).toBe(201)
  })

  it.each<[string, object, RegExp]>([
    ['no line', { new_line: null }, /position is incomplete/],
    ['no path', { new_path: null, old_path: null }, /position is incomplete/],
    ['a point that is none', { position_type: 'image', x: 1 }, /position is incomplete/],
    ['a line that is not there', { new_line: 9999 }, /line_code/],
    ['line 0', { new_line: 0 }, /line_code/],
    ['an unchanged line by one number', { new_line: 14 }, /line_code/],
    ['numbers that do not meet', { new_line: 15, old_line: 14 }, /line_code/],
    ['a file that is not there', { new_path: 'none', old_path: 'none' }, /line_code/],
    ['paths of two files', { old_path: 'gone.txt' }, /line_code/],
    ['a path out of the tree', { new_path: '../x', old_path: null }, /line_code/],
    ['an option', { new_path: '--output=x', old_path: null }, /line_code/],
    ['another commit', { head_sha: '0'.repeat(40) }, /does not belong to this diff/],
    ['another parent', { base_sha: 'main' }, /does not belong to this diff/],
  ])('answers 400 for %s', async (_, change, message) => {
    const answer = await call('POST', '', { body: 'x', position: at(change) })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(/^400 \(Bad request\) ".*" not given$/)
    expect(answer.body.message).toMatch(message)
  })

  it.each([
    ['head_sha', null],
    ['start_sha', ''],
    ['position_type', 'film'],
    ['new_line', 'x'],
    ['new_line', 1.5],
    ['new_path', 'a\0'],
    ['old_path', '\ud800'],
  ])('answers 400 for %s %j', async (name, value) => {
    const answer = await call('POST', '', { body: 'x', position: at({ [name]: value }) })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(`position[${name}] `)
  })
})
