import { createHash } from 'node:crypto'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { GitError } from '@stithy/git'
import { findDiscussion } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { reply, startDiscussion } from '../../planning/discussions/discussion.service.ts'
import { type MergeRequestItem, noteableOf } from '../../planning/items/item.ts'
import type { Caller } from '../../platform/http/call.ts'
import { created } from '../../testing/clients/calls.ts'
import { buildForkFixture } from '../../testing/git/fork-fixture.ts'
import { git } from '../../testing/git/git-client.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readRequest, readVersions } from '../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { loadItemForJob } from '../merge-requests/merge-request-for-job.ts'
import { updatePositionsKind } from './position-effects.ts'

/** Thirty numbered lines. */
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
const fileOf = (text: readonly string[]) => `${text.join('\n')}\n`

/** What the topic branch makes of them: line 15 changed, a line after it, lines 25 and 26 removed. */
const changed = lines.toSpliced(24, 2).toSpliced(14, 1, 'fifteen', 'and more')

let server: TestServer
let fixture: RepositoryFixture
let request: { id: number; iid: number }
let path: string

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  const before = { 'a.txt': fileOf(lines), 'old.txt': fileOf(lines), 'image.png': 'PNG\0one' }
  await fixture.commitTo('main', before, 'Base')
  await fixture.commitTo(
    'topic',
    { 'a.txt': fileOf(changed), 'new.txt': 'one\ntwo\n', 'image.png': 'PNG\0two' },
    'Change',
  )
  await fixture.push('main', 'topic')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main')
  path = `/projects/${fixture.project.id}/merge_requests/${request.iid}`
  await server.runJobs()
})

async function get(rest: string): Promise<Json> {
  const answer = await server.inject('GET', `${path}${rest}`, { token: server.root.token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const put = (to: string, body: object) =>
  server.inject('PUT', to, { token: server.root.token, body })

const diffRefs = async (): Promise<Json> => (await get('')).diff_refs

/** Starts a thread on a line of `a.txt` or another file in the latest version; returns its id. */
async function start(at: object, refs?: Json): Promise<string> {
  const position = {
    ...(refs ?? (await diffRefs())),
    position_type: 'text',
    old_path: 'a.txt',
    new_path: 'a.txt',
    ...at,
  }
  const { id } = await created(server, `${path}/discussions`, { body: 'Why?', position })
  return id
}

async function commit(files: Record<string, string>, branch = 'topic'): Promise<void> {
  await fixture.commitTo(branch, files, 'More')
  await push(branch)
}

async function push(...refs: string[]): Promise<void> {
  await fixture.push(...refs)
  await server.runJobs()
}

const notesOf = async (id: string): Promise<Json[]> => (await get(`/discussions/${id}`)).notes

/** The lines of a thread, and the texts of its system notes without the address. */
async function stateOf(id: string): Promise<Json> {
  const notes = await notesOf(id)
  const [{ position }] = notes
  const { old_path, new_path, old_line, new_line } = position
  for (const note of notes) expect(note.position).toEqual(position)
  const texts = notes.filter(({ system }) => system).map(({ body }) => body.replace(/\(.*\)/, ''))
  return { old_path, new_path, old_line, new_line, texts }
}

const at = (old_line: number | null, new_line: number | null, texts: string[] = []) => ({
  old_path: 'a.txt',
  new_path: 'a.txt',
  old_line,
  new_line,
  texts,
})

describe('threads on the diff of a merge request, after a push', () => {
  it('move with added, removed and unchanged lines, replies included', async () => {
    const added = await start({ new_line: 16 })
    const removed = await start({ old_line: 25 })
    const unchanged = await start({ old_line: 14, new_line: 14 })
    await created(server, `${path}/discussions/${added}/notes`, { body: 'Because' })
    await commit({ 'a.txt': fileOf(['zero', 'zero and a half', ...changed]) })
    expect(await stateOf(added)).toEqual(at(null, 18))
    expect(await stateOf(removed)).toEqual(at(25, null))
    expect(await stateOf(unchanged)).toEqual(at(14, 16))
    const refs = await diffRefs()
    for (const id of [added, removed, unchanged]) {
      expect((await notesOf(id))[0].position).toMatchObject(refs)
    }
    expect(await notesOf(added)).toHaveLength(2)
  })

  it('have the line code of the new line', async () => {
    const ids = [
      await start({ new_line: 16 }),
      await start({ old_line: 25 }),
      await start({ old_line: 14, new_line: 14 }),
    ]
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    const rows = await server.app.db.all('test.codes', { id: request.id }, (db, $) =>
      db.selectFrom('notes').where('noteableId', '=', $('id')).select(['discussionId', 'lineCode']),
    )
    const hash = createHash('sha1').update('a.txt').digest('hex')
    const codes = new Map(rows.map((row) => [row.discussionId, row.lineCode]))
    expect(ids.map((id) => codes.get(id))).toEqual(
      ['16_17', '25_27', '14_15'].map((code) => `${hash}_${code}`),
    )
  })

  it('become outdated with the line, and keep their position', async () => {
    const id = await start({ new_line: 15 })
    const other = await start({ new_line: 16 })
    const before = await diffRefs()
    await commit({ 'a.txt': fileOf(changed.with(14, 'something else')) })
    expect(await stateOf(id)).toEqual(
      at(null, 15, ['changed this line in [version 2 of the diff]']),
    )
    expect(await stateOf(other)).toEqual(at(null, 16))
    const [comment, note] = await notesOf(id)
    expect(comment).toMatchObject({ position: before, resolvable: true, resolved: false })
    expect(note).toMatchObject({
      type: 'DiffNote',
      system: true,
      resolvable: false,
      author: { id: server.root.id },
    })
    const [, version] = await readVersions(server, request.id)
    const hash = createHash('sha1').update('a.txt').digest('hex')
    expect(note.body).toContain(
      `/${fixture.project.path_with_namespace}/merge_requests/${request.iid}/diffs` +
        `?diff_id=${version?.id}&start_sha=${before.head_sha}#${hash}_15_15)`,
    )
  })

  it('stay outdated, without another note, and accept replies', async () => {
    const id = await start({ new_line: 15 })
    const before = await diffRefs()
    await commit({ 'a.txt': fileOf(changed.with(14, 'something else')) })
    await commit({ 'a.txt': fileOf(changed) })
    await commit({ 'a.txt': fileOf(changed.with(14, 'something else again')) })
    const texts = ['changed this line in [version 2 of the diff]']
    expect(await stateOf(id)).toEqual(at(null, 15, texts))
    const [comment] = await notesOf(id)
    expect(comment.position).toMatchObject(before)
    const reply = { body: 'Done' }
    const made = await created(server, `${path}/discussions/${id}/notes`, reply)
    expect(made).toMatchObject({ type: 'DiffNote', position: comment.position })
    await commit({ 'b.txt': 'b\n' })
    expect(await stateOf(id)).toEqual(at(null, 15, texts))
  })

  it('accept replies after all comments before the system note are deleted', async () => {
    const id = await start({ new_line: 15 })
    const { id: replyId } = await created(server, `${path}/discussions/${id}/notes`, { body: 'x' })
    await commit({ 'a.txt': fileOf(changed.with(14, 'something else')) })
    await created(server, `${path}/discussions/${id}/notes`, { body: 'Done' })
    const [{ id: noteId }] = await notesOf(id)
    for (const note of [noteId, replyId]) {
      await server.inject('DELETE', `${path}/notes/${note}`, { token: server.root.token })
    }
    const made = await created(server, `${path}/discussions/${id}/notes`, { body: 'Still there' })
    expect(made).toMatchObject({ type: 'DiffNote', position: { new_line: 15 } })
  })

  it('are resolved when outdated if the project says so, and the last one says that all are', async () => {
    await put(`/projects/${fixture.project.id}`, { resolve_outdated_diff_discussions: true })
    const [one, two] = [await start({ new_line: 15 }), await start({ new_line: 16 })]
    await commit({ 'a.txt': fileOf(changed.with(14, 'something else')) })
    expect((await notesOf(one))[0]).toMatchObject({
      resolved: true,
      resolved_by: { id: server.root.id },
    })
    expect((await notesOf(two))[0]).toMatchObject({ resolved: false })
    await commit({ 'a.txt': fileOf(lines) })
    expect((await notesOf(two))[0]).toMatchObject({ resolved: true })
    const texts = (await get('/notes?per_page=100')).map(({ body }: Json) => body)
    expect(texts.filter((body: string) => body === 'resolved all threads')).toHaveLength(1)
  })

  it('follow a renamed file, and are outdated with a deleted one', async () => {
    const [moved, deleted] = [
      await start({ new_line: 16 }),
      await start({ old_path: 'new.txt', new_path: 'new.txt', new_line: 2 }),
    ]
    await fixture.git('checkout', '--quiet', 'topic')
    await fixture.git('mv', 'a.txt', 'b c.txt')
    await fixture.git('rm', '--quiet', 'new.txt')
    await commit({ 'b c.txt': fileOf(['zero', ...changed]) })
    expect(await stateOf(moved)).toEqual({ ...at(null, 17), new_path: 'b c.txt' })
    expect(await stateOf(deleted)).toMatchObject({
      new_line: 2,
      texts: ['changed this line in [version 2 of the diff]'],
    })
  })

  it('stay on unchanged lines that the diff does not show any more', async () => {
    const [near, far] = [
      await start({ old_line: 14, new_line: 14 }),
      await start({ old_line: 28, new_line: 27 }),
    ]
    await commit({ 'a.txt': fileOf(lines.with(14, 'fifteen')) })
    expect(await stateOf(near)).toEqual(at(14, 14))
    expect(await stateOf(far)).toEqual(at(28, 28))
  })

  it('on a removed line are outdated when the head has it again', async () => {
    const id = await start({ old_line: 25 })
    await commit({ 'a.txt': fileOf(lines.with(14, 'fifteen')) })
    expect(await stateOf(id)).toEqual(
      at(25, null, ['changed this line in [version 2 of the diff]']),
    )
  })

  it('survive a force push that keeps the line', async () => {
    const [kept, lost] = [await start({ new_line: 15 }), await start({ new_line: 16 })]
    await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
    await commit({ 'a.txt': fileOf(lines.with(14, 'fifteen').toSpliced(0, 0, 'zero')) })
    expect(await stateOf(kept)).toEqual(at(null, 16))
    expect((await stateOf(lost)).texts).toEqual(['changed this line in [version 2 of the diff]'])
  })

  it('on an image stay until the file changes', async () => {
    const files = { old_path: 'image.png', new_path: 'image.png' }
    const point = { position_type: 'image', width: 9, height: 8, x: 1, y: 2 }
    const id = await start({ ...files, ...point })
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    const [{ position }] = await notesOf(id)
    expect(position).toEqual({ ...(await diffRefs()), ...files, ...point })
    await commit({ 'image.png': 'PNG\0three' })
    const [{ position: kept }, note] = await notesOf(id)
    expect(kept).toEqual(position)
    expect(note.body).toMatch(/^changed this file in \[version 3 of the diff\]\(.*#[0-9a-f]{40}\)$/)
  })

  it('are outdated when a file becomes binary, a link or a directory', async () => {
    const others = { 'binary.txt': 'x\ny\n', dir: 'x\ny\n', link: 'x\ny\n' }
    await commit(others)
    const ids: string[] = []
    for (const name of Object.keys(others)) {
      ids.push(await start({ old_path: name, new_path: name, new_line: 2 }))
    }
    for (const name of ['dir', 'link']) await rm(join(fixture.tree, name))
    await symlink('a.txt', join(fixture.tree, 'link'))
    await commit({ 'binary.txt': 'x\ny\n\0', 'dir/x': 'other\n' })
    for (const id of ids) {
      expect((await stateOf(id)).texts).toEqual(['changed this line in [version 3 of the diff]'])
    }
  })

  it('are brought to the last version by two pushes at once', async () => {
    const [moved, lost] = [await start({ new_line: 16 }), await start({ new_line: 15 })]
    await fixture.commitTo('topic', { 'a.txt': fileOf(['zero', ...changed]) }, 'One')
    await fixture.push('topic')
    const text = ['zero', 'again', ...changed.with(14, 'something else')]
    await fixture.commitTo('topic', { 'a.txt': fileOf(text) }, 'Two')
    await fixture.push('topic')
    await Promise.all([server.runJobs(), server.runJobs()])
    expect(await stateOf(moved)).toEqual(at(null, 18))
    expect((await stateOf(lost)).texts).toHaveLength(1)
    expect((await notesOf(moved))[0].position).toMatchObject(await diffRefs())
  })
})

describe('threads on the diff of a merge request from a fork, after a push', () => {
  it('move or are outdated in the name of who pushed', async () => {
    const fork = await buildForkFixture(server)
    await fork.commitTo('topic', { 'b.txt': 'one\ntwo\n' }, 'Two lines')
    await fork.pushToFork('topic', fork.owner)
    await server.runJobs()
    const { diff_refs } = (await fork.call('GET')).body
    const ids: string[] = []
    for (const new_line of [1, 2]) {
      const position = { ...diff_refs, position_type: 'text', new_path: 'b.txt', new_line }
      const { body } = await fork.call('POST', '/discussions', { body: 'Why?', position })
      ids.push(body.id)
    }
    await fork.commitTo('topic', { 'b.txt': 'zero\nuno\ntwo\n' }, 'More')
    await fork.pushToFork('topic', fork.developer)
    await server.runJobs()
    const [lost, moved] = await Promise.all(
      ids.map(async (id) => (await fork.call('GET', `/discussions/${id}`)).body.notes),
    )
    expect(moved[0].position).toMatchObject({
      ...(await fork.call('GET')).body.diff_refs,
      old_line: null,
      new_line: 3,
    })
    expect(lost[0].position).toMatchObject({ ...diff_refs, new_line: 1 })
    expect(lost[1]).toMatchObject({ system: true, author: { id: fork.developer.id } })
  })
})

describe('the job of a version', () => {
  it('leaves threads to the job of a later version that was faster', async () => {
    const id = await start({ new_line: 15 })
    const { spawner } = server.app.git.parts
    const { start: run } = spawner
    let isFirst = true
    const started = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
      if (isFirst && options.args.includes('-U0')) {
        isFirst = false
        await commit({ 'a.txt': fileOf(['zero', 'again', ...changed]) })
      }
      return run(options)
    })
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    started.mockRestore()
    expect(isFirst).toBe(false)
    expect(await stateOf(id)).toEqual(at(null, 17))
    expect((await notesOf(id))[0].position).toMatchObject(await diffRefs())
  })

  it('leaves the positions alone when git can not compare the commits', async () => {
    const id = await start({ new_line: 15 })
    const refs = await diffRefs()
    const { spawner } = server.app.git.parts
    const { start: run } = spawner
    const started = vi.spyOn(spawner, 'start').mockImplementation((options) => {
      if (options.args.includes('-U0')) throw new GitError('timeout', 'too slow')
      return run(options)
    })
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    started.mockRestore()
    expect(await stateOf(id)).toEqual(at(null, 15))
    expect((await notesOf(id))[0].position).toMatchObject(refs)
    const unfinished = await server.app.db.all('test.jobs', {}, (db) =>
      db.selectFrom('jobs').where('state', '<>', 'done').select(['kind', 'lastError']),
    )
    expect(unfinished.filter(({ kind }) => kind === updatePositionsKind)).toEqual([])
    // The next version starts from there.
    await commit({ 'a.txt': fileOf(['zero', 'again', ...changed]) })
    expect(await stateOf(id)).toEqual(at(null, 17))
  })
})

describe('threads on the diff of a merge request, when the target changes', () => {
  it('get the new start after a push to the target branch', async () => {
    const id = await start({ new_line: 15 })
    const { start_sha } = await diffRefs()
    await commit({ 'main.txt': 'm\n' }, 'main')
    expect((await diffRefs()).start_sha).not.toBe(start_sha)
    expect((await notesOf(id))[0].position).toMatchObject(await diffRefs())
    expect(await stateOf(id)).toEqual(at(null, 15))
  })

  it('turn into threads on unchanged lines once the target has the line', async () => {
    const [added, removed] = [await start({ new_line: 15 }), await start({ old_line: 26 })]
    const text = lines.with(14, 'fifteen').toSpliced(0, 0, 'zero')
    await fixture.commitTo('main', { 'a.txt': fileOf(text) }, 'The same')
    await fixture.git('checkout', '--quiet', 'topic')
    await git(fixture.tree, 'merge', '--quiet', 'main', '-X', 'ours', '-m', 'Merge')
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    await push('main')
    expect(await stateOf(added)).toEqual(at(16, 16))
    expect(await stateOf(removed)).toEqual(at(27, null))
  })

  it('follow a change of the target branch', async () => {
    const [added, unchanged] = [
      await start({ new_line: 15 }),
      await start({ old_line: 27, new_line: 26 }),
    ]
    await fixture.git('checkout', '--quiet', '-b', 'other', 'main')
    await fixture.git('reset', '--quiet', '--hard', 'main~1')
    await commit({ 'other.txt': 'o\n' }, 'other')
    const answer = await put(path, { target_branch: 'other' })
    expect(answer.status).toBe(200)
    await server.runJobs()
    // `a.txt` is new in this diff.
    expect(await stateOf(added)).toEqual(at(null, 15))
    expect((await notesOf(added))[0].position).toMatchObject(await diffRefs())
    const { texts } = await stateOf(unchanged)
    expect(texts).toEqual(['changed this line in [version 2 of the diff]'])
    const [, note] = await notesOf(unchanged)
    const [, version] = await readVersions(server, request.id)
    expect(note.body).toContain(`/diffs?diff_id=${version?.id})`)
  })
})

describe('a note on the diff that is written during a push', () => {
  const { id, username } = { id: 1, username: 'root' }
  const user = { id, username, name: username, email: 'root@example.com', admin: true }
  const caller: Caller = {
    facts: { userId: id, admin: true, external: false },
    user: {
      ...user,
      external: false,
      canCreateGroup: true,
      projectsLimit: 0,
      mustChangePassword: false,
      acceptedTermsVersion: null,
      themeId: 0,
    },
    scopes: ['api'],
  }
  const { signal } = new AbortController()

  async function loadItem(): Promise<MergeRequestItem> {
    const item = await loadItemForJob(server.app, await readRequest(server, request.id))
    if (item === undefined) throw new Error('no merge request')
    return item
  }

  it('moves to the version of the push', async () => {
    const before = await loadItem()
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    const { baseSha, startSha, headSha } = before.row
    const position = {
      base_sha: baseSha ?? '',
      start_sha: startSha,
      head_sha: headSha,
      position_type: 'text',
      new_path: 'a.txt',
      new_line: 15,
    } as const
    const started = { body: 'Why?', position }
    const note = await startDiscussion(server.app, caller, before, started, signal)
    await server.runJobs()
    expect(await stateOf(note.discussionId)).toEqual(at(null, 16))
  })

  it('has the position that its thread has by then', async () => {
    const thread = await start({ new_line: 15 })
    const before = await loadItem()
    const rows = await findDiscussion(server.app.db, noteableOf(before), thread)
    if (rows === undefined) throw new Error('no discussion')
    await commit({ 'a.txt': fileOf(['zero', ...changed]) })
    await reply(server.app, caller, before, rows, { body: 'Because' })
    expect(await stateOf(thread)).toEqual(at(null, 16))
    expect(await notesOf(thread)).toHaveLength(2)
  })
})

describe('POST /projects/:id/merge_requests/:merge_request_iid/discussions, on an earlier version', () => {
  it('places the thread in the latest version if that has the line', async () => {
    const refs = await diffRefs()
    await commit({ 'a.txt': fileOf(['zero', ...changed.with(15, 'something else')]) })
    const [kept, lost] = [await start({ new_line: 15 }, refs), await start({ new_line: 16 }, refs)]
    expect(await stateOf(kept)).toEqual(at(null, 16))
    expect(await stateOf(lost)).toEqual(at(null, 16))
    expect((await notesOf(kept))[0].position).toMatchObject(await diffRefs())
    expect((await notesOf(lost))[0].position).toMatchObject(refs)
    await commit({ 'a.txt': fileOf(['zero', 'one', ...changed]) })
    expect(await stateOf(kept)).toEqual(at(null, 17))
    expect(await stateOf(lost)).toEqual(at(null, 16))
  })
})
