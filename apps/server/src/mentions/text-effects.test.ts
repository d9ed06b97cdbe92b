import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let ann: TestUser
let bob: TestUser
let project: Json
let issue: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  ;[owner, ann, bob] = [
    await server.buildUser(),
    await server.buildUser({ username: 'Ann-Lee' }),
    await server.buildUser(),
  ]
  project = await server.buildProject({ visibility: 'public' }, owner)
})
beforeEach(async () => {
  issue = await send('POST', `/projects/${project.id}/issues`, owner, { title: 'Some' })
  path = `/projects/${project.id}/issues/${issue.iid}`
})
afterAll(() => server.close())

async function send(
  method: string,
  to: string,
  { token }: { token: string },
  body?: object,
): Promise<Json> {
  const answer = await server.inject(method, to, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${to}: ${answer.status} ${answer.text}`)
  return answer.body
}

const say = (body: string, as: { token: string } = owner, on = path): Promise<Json> =>
  send('POST', `${on}/notes`, as, { body })

/** Why a user has something to do about an issue; undefined for nothing. */
async function action(user: { token: string }, about: Json = issue): Promise<string | undefined> {
  const todos: Json[] = await send('GET', '/todos?per_page=100', user)
  return todos.find((todo) => todo.target_type === 'Issue' && todo.target.id === about.id)
    ?.action_name
}

/** What the program remarked on something, as somebody sees it. */
async function remarks(on: string, as: { token: string } = owner): Promise<string[]> {
  const notes: Json[] = await send('GET', `${on}/notes?sort=asc`, as)
  return notes.filter((note) => note.system).map((note) => note.body)
}

describe('who is named in a text', () => {
  it('gets a todo: mentioned, or directly addressed at the start of a line', async () => {
    await say(`ask @ann-lee\n@${bob.username}, @${owner.username}: look`)
    expect(await action(ann)).toBe('mentioned')
    expect(await action(bob)).toBe('directly_addressed')
    expect(await action(owner)).toBe('directly_addressed')
  })

  it('gets one from a title or a description, and none from code', async () => {
    const values = { title: `For @${bob.username}`, description: '@ANN-LEE look\n\n`@root`' }
    const made = await send('POST', `/projects/${project.id}/issues`, owner, values)
    expect(await action(bob, made)).toBe('mentioned')
    expect(await action(ann, made)).toBe('directly_addressed')
    expect(await action(server.root, made)).toBeUndefined()
  })

  it('gets no second one while one is pending', async () => {
    await say('ask @ann-lee')
    await say('@ann-lee now')
    expect(await action(ann)).toBe('mentioned')
  })

  it('has done them with a comment', async () => {
    await say('ask @ann-lee')
    await say('Done', ann)
    expect(await action(ann)).toBeUndefined()
    await say('@ann-lee thanks')
    expect(await action(ann)).toBe('directly_addressed')
  })

  it('is told of an edit where the name is new in it', async () => {
    const { id } = await say('ask @ann-lee')
    await say('Done', ann)
    const edit = (body: string) => send('PUT', `${path}/notes/${id}`, owner, { body })
    await edit(`ask @ann-lee and @${bob.username}`)
    expect(await action(ann)).toBeUndefined()
    expect(await action(bob)).toBe('mentioned')
    await send('PUT', path, owner, { description: '@ann-lee' })
    expect(await action(ann)).toBe('directly_addressed')
  })

  it('gets none where they cannot read the item, or cannot act', async () => {
    const values = { title: 'Secret', confidential: true, description: '@ann-lee' }
    const secret = await send('POST', `/projects/${project.id}/issues`, owner, values)
    const closed = await server.buildProject({ visibility: 'private' }, owner)
    const hidden = await send('POST', `/projects/${closed.id}/issues`, owner, { title: '@ann-lee' })
    const blocked = await server.buildUser()
    await send('POST', `/users/${blocked.id}/block`, server.root)
    await say(`@${blocked.username}`)
    const rows = await server.app.db.all('test.named', {}, (db) =>
      db
        .selectFrom('todos')
        .select('targetId')
        .where('targetId', 'in', [secret.id, hidden.id, issue.id]),
    )
    expect(rows).toEqual([])
    const named = await server.app.db.all('test.mentions', {}, (db) =>
      db
        .selectFrom('mentions')
        .select('userId')
        .where('targetId', 'in', [secret.id, hidden.id, issue.id]),
    )
    expect(named).toEqual([])
  })

  it('may be the members of a group that the writer can read', async () => {
    const group = await server.buildGroup({ visibility: 'private' })
    const below = await server.buildGroup({ visibility: 'private', parent_id: group.id })
    await server.addMember(`groups/${group.id}`, ann.id, 10)
    await server.addMember(`groups/${below.id}`, bob.id, 10)
    await say(`look @${below.full_path}`)
    expect([await action(ann), await action(bob)]).toEqual([undefined, undefined])
    await say(`look @${below.full_path.toUpperCase()}`, ann)
    expect([await action(ann), await action(bob)]).toEqual(['mentioned', 'mentioned'])
  })

  it('may be all members of the project, where the writer is one', async () => {
    const member = await server.buildUser()
    await server.addMember(`projects/${project.id}`, member.id, 10)
    await say('@all look', bob)
    expect(await action(member)).toBeUndefined()
    await say('@all look', member)
    expect(await action(member)).toBe('directly_addressed')
    expect(await action(owner)).toBe('directly_addressed')
    expect(await action(ann)).toBeUndefined()
  })

  it('gets none from a snippet', async () => {
    const values = { title: 'S', file_name: 's', code: 'x', visibility: 'public' }
    const snippet = await send('POST', `/projects/${project.id}/snippets`, owner, values)
    const before = (await send('GET', '/todos', ann)).length
    await say('@ann-lee', owner, `/projects/${project.id}/snippets/${snippet.id}`)
    expect((await send('GET', '/todos', ann)).length).toBe(before)
  })
})

describe('what is named in a text', () => {
  it('is told of it once for each item that names it', async () => {
    const other = await send('POST', `/projects/${project.id}/issues`, owner, {
      title: 'Other',
      description: `see #${issue.iid}`,
    })
    expect(await remarks(path)).toEqual([`mentioned in issue #${other.iid}`])
    await say(`again #${issue.iid}`, owner, `/projects/${project.id}/issues/${other.iid}`)
    await say(`myself #${issue.iid}`)
    expect(await remarks(path)).toHaveLength(1)
  })

  it('reads the path of another project', async () => {
    const elsewhere = await server.buildProject({ visibility: 'public' }, ann)
    const values = { title: `like ${project.path_with_namespace}#${issue.iid}` }
    const other = await send('POST', `/projects/${elsewhere.id}/issues`, ann, values)
    const full = `${elsewhere.path_with_namespace}#${other.iid}`
    expect(await remarks(path)).toEqual([`mentioned in issue ${full}`])
    const { body } = await server.inject('GET', `${path}/notes`, { token: owner.token })
    expect(body[0].author.id).toBe(ann.id)
  })

  it('may be named by its address', async () => {
    await say(`see ${issue.web_url}`, bob, await anotherIssue())
    expect(await remarks(path)).toHaveLength(1)
  })

  it('is not told where the writer cannot read it', async () => {
    const closed = await server.buildProject({ visibility: 'private' }, owner)
    await send('POST', `/projects/${closed.id}/issues`, owner, { title: 'Hidden' })
    await say(`see ${closed.path_with_namespace}#1`, bob)
    expect(await remarks(`/projects/${closed.id}/issues/1`)).toEqual([])
    const secret = await send('POST', `/projects/${project.id}/issues`, owner, {
      title: 'Secret',
      confidential: true,
    })
    await say(`see #${secret.iid}`, bob)
    expect(await remarks(`/projects/${project.id}/issues/${secret.iid}`)).toEqual([])
    await say(`see #${secret.iid}`)
    expect(await remarks(`/projects/${project.id}/issues/${secret.iid}`)).toHaveLength(1)
  })

  it('does not tell those of it who cannot read what names it', async () => {
    const values = { title: 'Secret', confidential: true, description: `#${issue.iid}` }
    await send('POST', `/projects/${project.id}/issues`, owner, values)
    expect(await remarks(path)).toHaveLength(1)
    expect(await remarks(path, bob)).toEqual([])
  })

  it('is left alone in an archived project', async () => {
    const old = await server.buildProject({ visibility: 'public' }, owner)
    await send('POST', `/projects/${old.id}/issues`, owner, { title: 'Old' })
    await send('POST', `/projects/${old.id}/archive`, owner)
    await say(`see ${old.path_with_namespace}#1`)
    expect(await remarks(`/projects/${old.id}/issues/1`)).toEqual([])
  })

  it('may be an epic, a merge request or a snippet', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const inside = await server.buildProject({ visibility: 'public', namespace_id: group.id })
    const times = { createdAt: server.app.now(), updatedAt: server.app.now() }
    const epic = { groupId: group.id, iid: 3, authorId: 1, title: 'Epic', ...times }
    const { id: epicId } = await insertRow(server.app.db, 'epics', epic)
    const values = { title: 'S', file_name: 's', code: 'x', visibility: 'public' }
    const snippet = await send('POST', `/projects/${inside.id}/snippets`, server.root, values)
    const request = await insertRow(server.app.db, 'mergeRequests', {
      projectId: inside.id,
      iid: 4,
      targetBranch: 'main',
      sourceBranch: 'topic',
      sourceProjectId: inside.id,
      authorId: 1,
      title: 'Request',
      headSha: 'a'.repeat(40),
      startSha: 'a'.repeat(40),
      ...times,
    })
    const body = `&3 !4 $${snippet.id} ${group.full_path}&3 &99 !99 $99999`
    const made = await send('POST', `/projects/${inside.id}/issues`, server.root, {
      title: 'All',
      description: body,
    })
    const rows = await server.app.db.all('test.referencesOf', { key: `${made.id}` }, (db, $) =>
      db
        .selectFrom('remarkSources as c')
        .innerJoin('notes as n', 'n.id', 'c.noteId')
        .where('c.sourceType', '=', 'issue')
        .where('c.sourceKey', '=', $('key'))
        .orderBy('c.targetType')
        .select(['c.targetType', 'c.targetId', 'n.body', 'n.system']),
    )
    const full = inside.path_with_namespace
    expect(rows).toEqual([
      {
        targetType: 'epic',
        targetId: epicId,
        body: `mentioned in issue ${full}#${made.iid}`,
        system: 1,
      },
      {
        targetType: 'merge_request',
        targetId: request.id,
        body: `mentioned in issue #${made.iid}`,
        system: 1,
      },
      {
        targetType: 'snippet',
        targetId: snippet.id,
        body: `mentioned in issue #${made.iid}`,
        system: 1,
      },
    ])
  })
})

describe('a text of many names', () => {
  it('costs no more queries than one of few', async () => {
    const cost = async (body: string) => {
      const before = server.app.db.stats.queries
      await say(body)
      return server.app.db.stats.queries - before
    }
    const other = await anotherIssue()
    const third = await anotherIssue()
    const number = (of: string) => `#${of.split('/').at(-1)}`
    await cost('plain')
    const plain = await cost('plain')
    await cost('@ann-lee')
    const one = await cost('@ann-lee')
    const names = Array.from({ length: 600 }, (_, index) => `@nobody${index}`).join(' ')
    expect(await cost(`@ann-lee @${bob.username}`)).toBe(one)
    expect(await cost(`@ann-lee ${names}`)).toBeLessThanOrEqual(one + 1)
    expect(one).toBeGreaterThan(plain)
    await cost(`${number(other)} ${number(third)}`)
    const known = await cost(`${number(other)}`)
    expect(await cost(`${number(other)} ${number(third)}`)).toBe(known + 1)
  })
})

/** The path of one more issue of the project. */
async function anotherIssue(): Promise<string> {
  const { iid } = await send('POST', `/projects/${project.id}/issues`, owner, { title: 'More' })
  return `/projects/${project.id}/issues/${iid}`
}
