import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildForkFixture } from '../../testing/git/fork-fixture.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readVersions } from '../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
const fileOf = (text: readonly string[]) => `${text.join('\n')}\n`
const original = fileOf(lines)
const changed = fileOf(lines.with(9, 'ten'))

const suggest = (content: string, range = '') => `\`\`\`suggestion${range}\n${content}\n\`\`\``
const notAppliable = { message: 'Suggestion is not appliable' }
const fileChanged = { message: 'The file has been changed' }

let server: TestServer
let fixture: RepositoryFixture
let request: { id: number; iid: number }
let project: string
let path: string

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  await fixture.commitTo('main', { 'a.txt': original, 'other.txt': 'other\n' }, 'Base')
  await fixture.commitTo('topic', { 'a.txt': changed }, 'Change')
  await fixture.push('main', 'topic')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main')
  project = `/projects/${fixture.project.id}`
  path = `${project}/merge_requests/${request.iid}`
  await server.runJobs()
})

const call = (method: string, to: string, body?: object, by: { token: string } = server.root) =>
  server.inject(method, to, { token: by.token, ...(body === undefined ? {} : { body }) })

const apply = (id: number | string, by?: { token: string }) =>
  call('PUT', `/suggestions/${id}/apply`, undefined, by)

/** Comments on a line of the diff, by default the changed one; returns the discussion. */
async function comment(body: string, at: object = { new_line: 10 }): Promise<Json> {
  const { diff_refs } = (await call('GET', path)).body
  const position = { ...diff_refs, position_type: 'text', new_path: 'a.txt', ...at }
  return created(server, `${path}/discussions`, { body, position })
}

/** The suggestions of a comment. */
async function suggestions(body: string, at?: object): Promise<Json[]> {
  return (await comment(body, at)).notes[0].suggestions
}

/** The only suggestion of a comment. */
async function suggestion(content: string, range?: string, at?: object): Promise<Json> {
  const [only, ...others] = await suggestions(suggest(content, range), at)
  expect(others).toEqual([])
  return only
}

/** A suggestion as its note shows it now. */
async function shown(id: number): Promise<Json> {
  const { body } = await call('GET', `${path}/notes?per_page=100`)
  const all = body.flatMap((note: Json) => note.suggestions ?? [])
  return all.find((found: Json) => found.id === id)
}

async function contentOf(file: string, branch = 'topic'): Promise<string> {
  const to = `${project}/repository/files/${encodeURIComponent(file)}/raw?ref=${branch}`
  return (await call('GET', to)).text
}

/** Pushes a commit to the topic branch; the jobs that follow are up to the test. */
async function pushCommit(files: Record<string, string>): Promise<void> {
  await fixture.git('fetch', '--quiet', fixture.remote, 'topic')
  await fixture.git('checkout', '--quiet', '-B', 'topic', 'FETCH_HEAD')
  await fixture.commitTo('topic', files, 'More')
  await fixture.push('topic')
}

async function member(level: number): Promise<TestUser> {
  const user = await server.buildUser()
  if (level > 0) await server.addMember(`projects/${fixture.project.id}`, user.id, level)
  return user
}

describe('suggestions of a comment on the diff of a merge request', () => {
  it('are the blocks tagged suggestion, each with the lines that it replaces', async () => {
    const body = `Either\n\n${suggest('TEN')}\n\nor\n\n${suggest('nine\nten', ':-1+2')}\n\n\`\`\`js\nx\n\`\`\``
    const first = { id: expect.any(Number), appliable: true, applied: false }
    expect(await suggestions(body)).toEqual([
      { ...first, from_line: 10, to_line: 10, from_content: 'ten\n', to_content: 'TEN\n' },
      {
        ...{ ...first, from_line: 9, to_line: 12 },
        from_content: 'line 9\nten\nline 11\nline 12\n',
        to_content: 'nine\nten\n',
      },
    ])
  })

  it('are shown in discussions, notes and the single note', async () => {
    const discussion = await comment(suggest('TEN'))
    const [{ id, suggestions: found }] = discussion.notes
    const single = await call('GET', `${path}/notes/${id}`)
    expect(single.body.suggestions).toEqual(found)
    expect(await shown(found[0].id)).toEqual(found[0])
    const again = await call('GET', `${path}/discussions/${discussion.id}`)
    expect(again.body.notes[0].suggestions).toEqual(found)
  })

  it('may be on unchanged lines, and in replies', async () => {
    const unchanged = await comment(suggest('eleven'), { old_line: 11, new_line: 11 })
    expect(unchanged.notes[0].suggestions).toMatchObject([{ from_content: 'line 11\n' }])
    const to = `${path}/discussions/${unchanged.id}/notes`
    const reply = await created(server, to, { body: suggest('ELEVEN') })
    expect(reply.suggestions).toMatchObject([{ from_line: 11, to_content: 'ELEVEN\n' }])
  })

  it('are none on removed lines, and none in other comments', async () => {
    expect(await suggestions(suggest('x'), { old_line: 10 })).toEqual([])
    const plain = await created(server, `${path}/notes`, { body: suggest('x') })
    const thread = await created(server, `${path}/discussions`, { body: suggest('x') })
    for (const note of [plain, thread.notes[0]]) expect(note).not.toHaveProperty('suggestions')
  })

  it('are none once the merge request is not open', async () => {
    await call('PUT', path, { state_event: 'close' })
    expect(await suggestions(suggest('x'))).toEqual([])
  })

  it('are made again when the text is edited', async () => {
    const { id: discussion, notes } = await comment(suggest('TEN'))
    const [{ id, suggestions: before }] = notes
    const to = `${path}/discussions/${discussion}/notes/${id}`
    const body = `${suggest('10')}\n\n${suggest('X')}`
    const edited = (await call('PUT', to, { body })).body.suggestions
    expect(edited).toMatchObject([{ to_content: '10\n' }, { to_content: 'X\n' }])
    expect((await apply(before[0].id)).status).toBe(404)
    expect((await apply(edited[0].id)).status).toBe(200)
    const emptied = await call('PUT', to, { body: 'Never mind' })
    expect(emptied.body.suggestions).toEqual([])
    expect((await apply(edited[1].id)).status).toBe(404)
  })

  it('are outdated from the start if a version came while the comment was written', async () => {
    const { notes } = await comment('Why?')
    await pushCommit({ 'a.txt': fileOf(lines.with(8, '9').with(9, 'ten')) })
    const { db } = server.app
    const transaction = db.transaction.bind(db)
    vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      await server.runJobs()
      return transaction(work)
    })
    const body = suggest('nine', ':-1')
    const edited = await call('PUT', `${path}/notes/${notes[0].id}`, { body })
    expect(edited.body.suggestions).toMatchObject([{ from_line: 9, appliable: false }])
    expect(await apply(edited.body.suggestions[0].id)).toMatchObject({ body: notAppliable })
  })

  it('go with their comment', async () => {
    const { notes } = await comment(suggest('TEN'))
    await call('DELETE', `${path}/notes/${notes[0].id}`)
    expect((await apply(notes[0].suggestions[0].id)).status).toBe(404)
  })

  it('are at most fifty, of a bounded range, and none in files that are no text', async () => {
    const many = Array.from({ length: 200 }, () => suggest('x', ':-9999+99999')).join('\n\n')
    const found = await suggestions(many)
    expect(found).toHaveLength(50)
    expect(found[0]).toMatchObject({ from_line: 1, to_line: 110, from_content: changed })
    const wide = `${'x'.repeat(20_000)}\n`
    await writeFile(join(fixture.tree, 'latin1.txt'), Buffer.from('caf\u00e9\n', 'latin1'))
    await pushCommit({ 'wide.txt': wide, 'large.txt': 'y\n'.repeat(600_000) })
    await server.runJobs()
    for (const new_path of ['wide.txt', 'large.txt', 'latin1.txt']) {
      expect(await suggestions(suggest('x'), { new_path, new_line: 1 })).toEqual([])
    }
  })
})

describe('PUT /suggestions/:id/apply', () => {
  it('commits the lines to the source branch', async () => {
    const { id } = await suggestion('nine\nTEN', ':-1')
    const by = await member(30)
    const answer = await apply(id, by)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...{ id, from_line: 9, to_line: 10, appliable: false, applied: true },
        ...{ from_content: 'line 9\nten\n', to_content: 'nine\nTEN\n' },
      },
    ])
    expect(await contentOf('a.txt')).toBe(fileOf(lines.with(8, 'nine').with(9, 'TEN')))
    const { body: branch } = await call('GET', `${project}/repository/branches/topic`)
    expect(branch.commit).toMatchObject({
      message: 'Apply suggestion to a.txt',
      author_name: by.name,
      committer_name: by.name,
    })
    await server.runJobs()
    expect(await readVersions(server, request.id)).toHaveLength(2)
    expect((await call('GET', path)).body.sha).toBe(branch.commit.id)
    expect(await shown(id)).toMatchObject({ applied: true, appliable: false })
    const { body: events } = await call('GET', `${project}/events?action=pushed`)
    expect(events[0]).toMatchObject({ author_username: by.username })
  })

  it('takes the id as a text, and 404s an unknown one', async () => {
    const { id } = await suggestion('TEN')
    for (const unknown of ['999999', '0', '-1']) {
      expect(await apply(unknown)).toMatchObject({
        status: 404,
        body: { message: '404 Suggestion Not Found' },
      })
    }
    expect((await apply('x')).status).toBe(400)
    expect((await apply(String(id))).status).toBe(200)
  })

  it('is refused to those who may not push to the source branch', async () => {
    const { id } = await suggestion('TEN')
    expect((await apply(id, await member(0))).status).toBe(404)
    expect((await apply(id, await member(10))).status).toBe(404)
    expect((await apply(id, await member(20))).status).toBe(403)
    await call('POST', `${project}/protected_branches`, { name: 'topic', push_access_level: 40 })
    const developer = await member(30)
    expect((await apply(id, developer)).body.message).toContain('Cannot push to source branch')
    expect((await server.inject('PUT', `/suggestions/${id}/apply`)).status).toBe(401)
    expect((await apply(id, await member(40))).status).toBe(200)
  })

  it('answers 400 for one that is applied, changes nothing, or is on a closed request', async () => {
    const applied = await suggestion('TEN')
    const same = await suggestion('line 12', '', { old_line: 12, new_line: 12 })
    const open = await suggestion('twelve', '', { old_line: 12, new_line: 12 })
    expect(same.appliable).toBe(false)
    expect((await apply(applied.id)).status).toBe(200)
    await call('PUT', path, { state_event: 'close' })
    await server.runJobs()
    expect((await shown(open.id)).appliable).toBe(false)
    expect(await apply(open.id)).toMatchObject({ status: 400, body: notAppliable })
    await call('PUT', path, { state_event: 'reopen' })
    for (const { id } of [applied, same]) {
      expect(await apply(id)).toMatchObject({ status: 400, body: notAppliable })
    }
    await server.runJobs()
    expect((await apply(open.id)).status).toBe(200)
  })

  it('follows the lines to a later version', async () => {
    const { id } = await suggestion('TEN')
    await pushCommit({ 'a.txt': fileOf(['zero', ...lines.with(9, 'ten')]), 'other.txt': 'x\n' })
    await server.runJobs()
    expect(await shown(id)).toMatchObject({ from_line: 11, to_line: 11, appliable: true })
    expect((await apply(id)).body).toMatchObject({ from_line: 11, applied: true })
    expect(await contentOf('a.txt')).toBe(fileOf(['zero', ...lines.with(9, 'TEN')]))
  })

  it('answers 400 once any of the lines was changed', async () => {
    const { id } = await suggestion('nine\nTEN', ':-1')
    const one = await suggestion('TEN')
    const below = await suggestion('twelve', '', { old_line: 12, new_line: 12 })
    await pushCommit({ 'a.txt': fileOf(lines.with(8, '9').with(9, 'ten')) })
    await server.runJobs()
    expect((await shown(id)).appliable).toBe(false)
    expect(await apply(id)).toMatchObject({ status: 400, body: notAppliable })
    await pushCommit({ 'a.txt': fileOf(lines.with(8, '9').with(9, '10')) })
    await server.runJobs()
    expect(await apply(one.id)).toMatchObject({ status: 400, body: notAppliable })
    expect((await apply(below.id)).status).toBe(200)
  })

  it('answers 400 when its lines were changed, or the file deleted, just now', async () => {
    const { id } = await suggestion('nine\nTEN', ':-1')
    await pushCommit({ 'a.txt': fileOf(['zero', ...lines.with(8, '9').with(9, 'ten')]) })
    expect(await apply(id)).toMatchObject({ status: 400, body: fileChanged })
    await pushCommit({ 'a.txt': fileOf(lines.with(9, '10')) })
    expect(await apply(id)).toMatchObject({ status: 400, body: fileChanged })
    await fixture.git('rm', '--quiet', 'a.txt')
    await pushCommit({ 'b.txt': 'b\n' })
    expect(await apply(id)).toMatchObject({
      status: 400,
      body: { message: 'The file was not found' },
    })
  })

  it('is applied when other lines and files were changed, and the file renamed, just now', async () => {
    const { id } = await suggestion('TEN')
    await fixture.git('checkout', '--quiet', 'topic')
    await fixture.git('mv', 'a.txt', 'b.txt')
    const text = ['zero', ...lines.with(9, 'ten').with(12, 'thirteen')]
    await fixture.commitTo('topic', { 'b.txt': fileOf(text), 'other.txt': 'more\n' }, 'More')
    await fixture.push('topic')
    expect((await apply(id)).body).toMatchObject({ from_line: 11, to_line: 11, applied: true })
    expect(await contentOf('other.txt')).toBe('more\n')
    expect(await contentOf('b.txt')).toBe(fileOf(text.with(10, 'TEN')))
  })

  it('is applied when the branch was rewritten just now', async () => {
    const { id } = await suggestion('TEN')
    await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
    await fixture.commitTo('topic', { 'a.txt': fileOf(['zero', ...lines.with(9, 'ten')]) }, 'Again')
    await fixture.push('topic')
    expect((await apply(id)).status).toBe(200)
    expect(await contentOf('a.txt')).toBe(fileOf(['zero', ...lines.with(9, 'TEN')]))
  })

  it('applies several in a row, and concurrently each once', async () => {
    const ids: number[] = []
    for (const at of [7, 8, 9, 11, 12, 13]) {
      const range = { old_line: at, new_line: at }
      ids.push((await suggestion(`L${at}\n--`, '', range)).id)
    }
    const [first, second, ...others] = ids
    for (const id of [first, second]) expect((await apply(id ?? 0)).status).toBe(200)
    const [one = 0] = others
    const answers = await Promise.all([one, ...others].map((id) => apply(id)))
    const statuses = answers.map(({ status }) => status)
    expect([statuses.slice(0, 2).toSorted(), statuses.slice(2)]).toEqual([
      [200, 400],
      [200, 200, 200],
    ])
    const applied = lines.with(9, 'ten').flatMap((line, index) => {
      return [7, 8, 9, 11, 12, 13].includes(index + 1) ? [`L${index + 1}`, '--'] : [line]
    })
    expect(await contentOf('a.txt')).toBe(fileOf(applied))
  })

  it('keeps Windows line ends, and a last line without an end', async () => {
    await pushCommit({ 'a.txt': 'one\r\ntwo\r\nthree' })
    await server.runJobs()
    const two = await suggestion('2\n2', '', { new_line: 2 })
    const three = await suggestion('3', '', { new_line: 3 })
    expect(two).toMatchObject({ from_content: 'two\r\n', to_content: '2\n2\n' })
    expect((await apply(two.id)).status).toBe(200)
    await server.runJobs()
    expect((await apply(three.id)).status).toBe(200)
    expect(await contentOf('a.txt')).toBe('one\r\n2\r\n2\r\n3')
  })

  it('deletes lines with an empty block, and keeps the mode of the file', async () => {
    await fixture.git('checkout', '--quiet', 'topic')
    await fixture.git('update-index', '--chmod=+x', 'a.txt')
    await fixture.git('commit', '--quiet', '--message', 'Mode')
    await fixture.push('topic')
    await server.runJobs()
    const [{ id }] = await suggestions('```suggestion:+9\n```')
    expect((await apply(id)).status).toBe(200)
    expect(await contentOf('a.txt')).toBe(fileOf([...lines.slice(0, 9), 'line 20']))
    const { body } = await call('GET', `${project}/repository/tree?ref=topic`)
    expect(body.find((entry: Json) => entry.path === 'a.txt').mode).toBe('100755')
  })

  it('needs the right to push to the branch of a fork', async () => {
    const fork = await buildForkFixture(server, {})
    const { diff_refs } = (await fork.call('GET')).body
    const position = { ...diff_refs, position_type: 'text', new_path: 'b.txt', new_line: 1 }
    const body = { body: suggest('B'), position }
    const [{ suggestions: found }] = (await fork.call('POST', '/discussions', body)).body.notes
    expect((await apply(found[0].id, fork.developer)).status).toBe(403)
    expect((await apply(found[0].id, fork.owner)).status).toBe(200)
    await server.runJobs()
    expect((await fork.call('GET')).body.sha).toBe(await fork.forkTip('topic'))
  })

  it('is hidden with the merge request', async () => {
    const { id } = await suggestion('TEN')
    const by = await member(10)
    await call('PUT', project, { merge_requests_access_level: 'disabled' })
    expect((await apply(id, by)).status).toBe(404)
    expect((await apply(id)).status).toBe(404)
  })
})
