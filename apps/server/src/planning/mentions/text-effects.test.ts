import { listNotesById } from '@stithy/store'
import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { systemNoteTexts } from '../system-notes/system-note-texts.service.ts'

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

/** The action of a user's todo about an issue; undefined without one. */
async function action(user: { token: string }, about: Json = issue): Promise<string | undefined> {
  const todos: Json[] = await send('GET', '/todos?per_page=100', user)
  return todos.find((todo) => todo.target_type === 'Issue' && todo.target.id === about.id)
    ?.action_name
}

/** The system notes on an item that a user sees. */
async function systemNotes(on: string, as: { token: string } = owner): Promise<string[]> {
  const notes: Json[] = await send('GET', `${on}/notes?sort=asc`, as)
  return notes.filter((note) => note.system).map((note) => note.body)
}

describe('a user who is mentioned in a text', () => {
  it('gets a todo: mentioned, or directly addressed at the start of a line', async () => {
    await say(`ask @ann-lee\n@${bob.username}, @${owner.username}: look`)
    expect(await action(ann)).toBe('mentioned')
    expect(await action(bob)).toBe('directly_addressed')
    expect(await action(owner)).toBe('directly_addressed')
  })

  it('gets one from a title or description, and none from code', async () => {
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

  it('has their todos marked as done by commenting', async () => {
    await say('ask @ann-lee')
    await say('Done', ann)
    expect(await action(ann)).toBeUndefined()
    await say('@ann-lee thanks')
    expect(await action(ann)).toBe('directly_addressed')
  })

  it('gets a todo from an edit that adds the mention', async () => {
    const { id } = await say('ask @ann-lee')
    await say('Done', ann)
    const edit = (body: string) => send('PUT', `${path}/notes/${id}`, owner, { body })
    await edit(`ask @ann-lee and @${bob.username}`)
    expect(await action(ann)).toBeUndefined()
    expect(await action(bob)).toBe('mentioned')
    await send('PUT', path, owner, { description: '@ann-lee' })
    expect(await action(ann)).toBe('directly_addressed')
  })

  it('gets none if they cannot read the item or are blocked', async () => {
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

  it('can be the members of a group that the author can read', async () => {
    const group = await server.buildGroup({ visibility: 'private' })
    const below = await server.buildGroup({ visibility: 'private', parent_id: group.id })
    await server.addMember(`groups/${group.id}`, ann.id, 10)
    await server.addMember(`groups/${below.id}`, bob.id, 10)
    await say(`look @${below.full_path}`)
    expect([await action(ann), await action(bob)]).toEqual([undefined, undefined])
    await say(`look @${below.full_path.toUpperCase()}`, ann)
    expect([await action(ann), await action(bob)]).toEqual(['mentioned', 'mentioned'])
  })

  it('can be all members of the project, if the author is one', async () => {
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

describe('an item that is mentioned in a text', () => {
  it('gets one system note for each item that mentions it', async () => {
    const other = await send('POST', `/projects/${project.id}/issues`, owner, {
      title: 'Other',
      description: `see #${issue.iid}`,
    })
    expect(await systemNotes(path)).toEqual([`mentioned in issue #${other.iid}`])
    await say(`again #${issue.iid}`, owner, `/projects/${project.id}/issues/${other.iid}`)
    await say(`myself #${issue.iid}`)
    expect(await systemNotes(path)).toHaveLength(1)
  })

  it('can be in another project, with its path', async () => {
    const elsewhere = await server.buildProject({ visibility: 'public' }, ann)
    const values = { title: `like ${project.path_with_namespace}#${issue.iid}` }
    const other = await send('POST', `/projects/${elsewhere.id}/issues`, ann, values)
    const full = `${elsewhere.path_with_namespace}#${other.iid}`
    expect(await systemNotes(path)).toEqual([`mentioned in issue ${full}`])
    const { body } = await server.inject('GET', `${path}/notes`, { token: owner.token })
    expect(body[0].author.id).toBe(ann.id)
  })

  it('can be mentioned by URL', async () => {
    await say(`see ${issue.web_url}`, bob, await anotherIssue())
    expect(await systemNotes(path)).toHaveLength(1)
  })

  it('gets no system note if the author cannot read it', async () => {
    const closed = await server.buildProject({ visibility: 'private' }, owner)
    await send('POST', `/projects/${closed.id}/issues`, owner, { title: 'Hidden' })
    await say(`see ${closed.path_with_namespace}#1`, bob)
    expect(await systemNotes(`/projects/${closed.id}/issues/1`)).toEqual([])
    const secret = await send('POST', `/projects/${project.id}/issues`, owner, {
      title: 'Secret',
      confidential: true,
    })
    await say(`see #${secret.iid}`, bob)
    expect(await systemNotes(`/projects/${project.id}/issues/${secret.iid}`)).toEqual([])
    await say(`see #${secret.iid}`)
    expect(await systemNotes(`/projects/${project.id}/issues/${secret.iid}`)).toHaveLength(1)
  })

  it('hides the system note from users who cannot read the source', async () => {
    const values = { title: 'Secret', confidential: true, description: `#${issue.iid}` }
    await send('POST', `/projects/${project.id}/issues`, owner, values)
    expect(await systemNotes(path)).toHaveLength(1)
    expect(await systemNotes(path, bob)).toEqual([])
  })

  it('gets no system note in an archived project', async () => {
    const old = await server.buildProject({ visibility: 'public' }, owner)
    await send('POST', `/projects/${old.id}/issues`, owner, { title: 'Old' })
    await send('POST', `/projects/${old.id}/archive`, owner)
    await say(`see ${old.path_with_namespace}#1`)
    expect(await systemNotes(`/projects/${old.id}/issues/1`)).toEqual([])
  })

  it('can be an epic, a merge request or a snippet', async () => {
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
    const found = await server.app.db.all('test.referencesOf', { key: `${made.id}` }, (db, $) =>
      db
        .selectFrom('notes')
        .where('sourceType', '=', 'issue')
        .where('sourceKey', '=', $('key'))
        .select('id'),
    )
    const ids = found.map(({ id }) => id)
    const notes = await listNotesById(server.app.db, ids)
    const texts = await systemNoteTexts(server.app, notes)
    const rows = notes
      .map((note) => ({
        targetType: note.noteableType,
        targetId: note.noteableId,
        body: texts.get(note.id),
        system: note.system,
      }))
      .toSorted((one, other) => (one.targetType < other.targetType ? -1 : 1))
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

describe('a text with many mentions', () => {
  it('runs no more queries than one with few', async () => {
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

/** Creates another issue in the project and returns its path. */
async function anotherIssue(): Promise<string> {
  const { iid } = await send('POST', `/projects/${project.id}/issues`, owner, { title: 'More' })
  return `/projects/${project.id}/issues/${iid}`
}
