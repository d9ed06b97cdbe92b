import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildNoteableFixture,
  type NoteableFixture,
  type TestNoteable,
} from '../../testing/fixtures/noteables.ts'
import { buildWorkTree, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/** Guests and reporters are members of all groups, the others of none. */
const readers = ['stranger', 'external', 'guest', 'reporter'] as const
type Reader = (typeof readers)[number]

let server: TestServer
/** Public. */
let fixture: NoteableFixture
/** Private. */
let secret: NoteableFixture
/** Public, but its code and merge requests are for members from Reporter on. */
let closed: NoteableFixture
let tokens: Record<Reader, string>
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
  secret = await buildNoteableFixture(server, { visibility: 'private' })
  closed = await buildNoteableFixture(server)
  const { id } = closed.made.project
  await must('PUT', `/projects/${id}`, { repository_access_level: 'private' })
  const [guest, reporter] = [await fixture.member(10), await fixture.member(20)]
  for (const { group } of [secret, closed]) {
    await server.addMember(`groups/${group.id}`, guest.id, 10)
    await server.addMember(`groups/${group.id}`, reporter.id, 20)
  }
  const external = await server.buildUser({ external: true })
  tokens = {
    stranger: (await server.buildUser()).token,
    external: external.token,
    guest: guest.token,
    reporter: reporter.token,
  }
  await server.runJobs()
})
afterAll(() => server.close())

async function must(method: string, path: string, body: object): Promise<Json> {
  const answer = await server.inject(method, path, { token: server.root.token, body })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

const get = (path: string, token: string) => server.inject('GET', path, { token })

const nameOf = (of: NoteableFixture, { iid }: TestNoteable) =>
  `${of.made.project.path_with_namespace}#${iid}`

const comment = (issue: TestNoteable, body: string) => must('POST', `${issue.path}/notes`, { body })

const relate = (issue: TestNoteable, of: NoteableFixture, { iid }: TestNoteable) =>
  must('POST', `${issue.path}/links`, {
    target_project_id: of.made.project.id,
    target_issue_iid: iid,
  })

/** The users who see the system note with this prefix, in every kind of read. */
async function viewers(issue: TestNoteable, start: string): Promise<Reader[]> {
  const { token } = server.root
  const all = (await get(`${issue.path}/discussions`, token)).body
  const found = all.find((one: Json) => one.notes[0].body.startsWith(start))
  if (found === undefined) throw new Error(`no system note: ${start}`)
  const { id } = found.notes[0]
  const visibleTo: Reader[] = []
  for (const reader of readers) {
    const by = tokens[reader]
    const notes = await get(`${issue.path}/notes`, by)
    const discussions = await get(`${issue.path}/discussions`, by)
    const isListed = notes.body.some((note: Json) => note.id === id)
    const totals = [notes, discussions].map(({ headers }) => Number(headers['x-total']))
    expect(totals).toEqual([notes.body.length, discussions.body.length])
    expect(discussions.body.some((one: Json) => one.id === found.id)).toBe(isListed)
    const paths = [`/notes/${id}`, `/notes/${id}/award_emoji`, `/discussions/${found.id}`]
    for (const path of paths) {
      const { status } = await get(`${issue.path}${path}`, by)
      expect([reader, path, status]).toEqual([reader, path, isListed ? 200 : 404])
    }
    if (isListed) visibleTo.push(reader)
  }
  return visibleTo
}

const members: Reader[] = ['guest', 'reporter']

describe('system notes that refer to a private issue', () => {
  const cases: [string, (issue: TestNoteable, hidden: TestNoteable) => Promise<unknown>][] = [
    ['marked this issue as related to', (issue, hidden) => relate(issue, secret, hidden)],
    [
      'removed the relation with',
      async (issue, hidden) => {
        await relate(issue, secret, hidden)
        const [link] = (await get(`${issue.path}/links`, server.root.token)).body
        await must('DELETE', `${issue.path}/links/${link.issue_link_id}`, {})
      },
    ],
    [
      'marked this issue as a duplicate of',
      (issue, hidden) => comment(issue, `x\n/duplicate ${nameOf(secret, hidden)}`),
    ],
    ['marked ', (issue, hidden) => comment(hidden, `x\n/duplicate ${nameOf(fixture, issue)}`)],
    [
      'moved to',
      (issue) => must('POST', `${issue.path}/move`, { to_project_id: secret.made.project.id }),
    ],
    ['mentioned in issue', (issue, hidden) => comment(hidden, `See ${nameOf(fixture, issue)}`)],
  ]

  it.each(cases)('are shown to users who can see it: %s', async (start, act) => {
    const issue = await fixture.build('Issue')
    await act(issue, await secret.build('Issue'))
    expect(await viewers(issue, start)).toEqual(members)
  })

  it('are hidden on the copy of a moved issue: moved from', async () => {
    const hidden = await secret.build('Issue')
    const copy = await must('POST', `${hidden.path}/move`, {
      to_project_id: fixture.made.project.id,
    })
    const path = `/projects/${fixture.made.project.id}/issues/${copy.iid}`
    expect(await viewers({ ...hidden, path }, 'moved from')).toEqual(members)
  })

  it('stay hidden when a pair of issues is linked repeatedly', async () => {
    const [issue, hidden] = [await fixture.build('Issue'), await secret.build('Issue')]
    await comment(hidden, `See ${nameOf(fixture, issue)}`)
    await relate(issue, secret, hidden)
    await comment(issue, `x\n/duplicate ${nameOf(secret, hidden)}`)
    for (const start of ['mentioned', 'marked this issue as related', 'marked this issue as a d']) {
      expect([start, await viewers(issue, start)]).toEqual([start, members])
    }
  })

  it('are deleted with the issue', async () => {
    const [issue, hidden] = [await fixture.build('Issue'), await secret.build('Issue')]
    await relate(issue, secret, hidden)
    await must('DELETE', hidden.path, {})
    expect((await get(`${issue.path}/notes`, server.root.token)).body).toEqual([])
  })

  it('keep their source on a copy', async () => {
    const [issue, hidden] = [await fixture.build('Issue'), await secret.build('Issue')]
    await relate(issue, secret, hidden)
    const to = { to_project_id: closed.made.project.id }
    const copy = await must('POST', `${issue.path}/move`, to)
    const path = `/projects/${to.to_project_id}/issues/${copy.iid}`
    expect(await viewers({ ...issue, path }, 'marked this issue as related')).toEqual(members)
    await must('DELETE', hidden.path, {})
    const { body } = await get(`${path}/notes`, server.root.token)
    expect(body.map((note: Json) => note.body.slice(0, 10))).toEqual(['moved from'])
  })
})

describe('system notes that refer to a confidential issue of the same project', () => {
  it.each([
    ['marked this issue as related to', (iid: number) => `/relate #${iid}`],
    ['marked this issue as a duplicate of', (iid: number) => `/duplicate #${iid}`],
  ])('are shown to users who can see it: %s', async (start, command) => {
    const issue = await fixture.build('Issue')
    const hidden = await fixture.build('Issue', { confidential: true })
    await comment(issue, `x\n${command(hidden.iid ?? 0)}`)
    expect(await viewers(issue, start)).toEqual(['reporter'])
  })
})

describe('system notes that refer to code and merge requests', () => {
  let files = 0

  /** A commit on a branch with a message. */
  async function commitTo(of: NoteableFixture, branch: string, message: string): Promise<Json> {
    files += 1
    const actions = [{ action: 'create', file_path: `new ${files}`, content: 'x' }]
    const path = `/projects/${of.made.project.id}/repository/commits`
    const commit = await must('POST', path, { branch, commit_message: message, actions })
    await server.runJobs()
    return commit
  }

  /** A merge request that is merged by a push to the default branch. */
  async function merge(of: NoteableFixture, message: string) {
    files += 1
    const { project } = of.made
    const branch = `topic-${files}`
    await must('POST', `/projects/${project.id}/repository/branches`, { branch, ref: 'main' })
    const { id } = await commitTo(of, branch, 'Change')
    await server.buildMergeRequest(project, branch, 'main', { description: message })
    await server.runJobs()
    await arrive(project, id)
    await server.runJobs()
  }

  /** Merges a commit into `main`. */
  async function arrive(project: Json, sha: string) {
    const tree = await buildWorkTree()
    const { username, token } = server.root
    const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
    await mustGit(tree, 'fetch', '--quiet', remote, '+refs/heads/*:refs/remotes/o/*')
    await mustGit(tree, 'push', '--quiet', remote, `${sha}:refs/heads/main`)
  }

  const worlds: [string, () => NoteableFixture][] = [
    ['a private project', () => secret],
    ['a project with private code', () => closed],
  ]

  it.each(worlds)('are shown to users who can see it: commits of %s', async (_, of) => {
    const [shut, named] = [await fixture.build('Issue'), await fixture.build('Issue')]
    await commitTo(of(), 'main', `Fixes ${nameOf(fixture, shut)}, see ${nameOf(fixture, named)}`)
    expect(await viewers(shut, 'closed via commit')).toEqual(['reporter'])
    expect(await viewers(named, 'mentioned in commit')).toEqual(['reporter'])
  })

  it.each(worlds)('are shown to users who can see it: merge requests of %s', async (_, of) => {
    const [shut, named] = [await fixture.build('Issue'), await fixture.build('Issue')]
    await merge(of(), `Fixes ${nameOf(fixture, shut)}, see ${nameOf(fixture, named)}`)
    expect(await viewers(shut, 'closed via merge request')).toEqual(['reporter'])
    expect(await viewers(named, 'mentioned in merge request')).toEqual(['reporter'])
  })

  it('are shown to users who can see it: commits and merge requests of the same project', async () => {
    const [one, two] = [await closed.build('Issue'), await closed.build('Issue')]
    await commitTo(closed, 'main', `Fixes #${one.iid}`)
    await merge(closed, `Fixes #${two.iid}`)
    expect(await viewers(one, 'closed via commit')).toEqual(['reporter'])
    expect(await viewers(two, 'closed via merge request')).toEqual(['reporter'])
  })

  it('are shown to users who can see it: branches and merge requests created for an issue', async () => {
    const issue = await closed.build('Issue')
    await comment(issue, 'x\n/create_merge_request for-an-issue')
    expect(await viewers(issue, 'created branch')).toEqual(['reporter'])
    expect(await viewers(issue, 'created merge request')).toEqual(['reporter'])
  })

  it('are shown to everyone if the project is public', async () => {
    const [issue, shut] = [await fixture.build('Issue'), await fixture.build('Issue')]
    await comment(issue, 'x\n/create_merge_request for-all')
    await commitTo(fixture, 'main', `Fixes #${shut.iid}`)
    for (const start of ['created branch', 'created merge request']) {
      expect([start, await viewers(issue, start)]).toEqual([start, readers])
    }
    expect(await viewers(shut, 'closed via commit')).toEqual(readers)
  })
})
