import { parse } from 'node-html-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitHelpers, create } from '../../testing/clients/commit-helpers.ts'
import { insertEpic } from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
/** Public, in a public group; all items below are in it unless noted otherwise. */
let project: Json
let neighbour: Json
let secret: Json
let group: Json
let guest: Json
let stranger: Json
let sha: string
let older: string

const web = () => server.app.config.externalUrl

beforeAll(async () => {
  server = await buildTestServer()
  group = await server.buildGroup({ visibility: 'public' })
  const inGroup = { namespace_id: group.id, visibility: 'public' }
  project = await server.buildProject(inGroup)
  neighbour = await server.buildProject(inGroup)
  secret = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
  guest = await server.buildUser({ name: 'Gu "<b>" Est' })
  stranger = await server.buildUser()
  await server.addMember(`projects/${project.id}`, guest.id, 10)
  for (const { id } of [project, neighbour, secret]) await fill(id)
  const commits = commitHelpers(server)
  older = (await commits.must(project.id, [create('a.md')], { commit_message: 'First' })).id
  sha = (await commits.must(project.id, [create('b.md')], { commit_message: 'Then <b>' })).id
})
afterAll(() => server.close())

async function make(path: string, body: object, token = server.root.token): Promise<Json> {
  const answer = await server.inject('POST', path, { token, body })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

async function fill(id: number): Promise<void> {
  await make(`/projects/${id}/issues`, { title: 'An "issue" <b>' })
  await make(`/projects/${id}/issues`, { title: 'Confidential', confidential: true })
  await make(`/projects/${id}/labels`, { name: 'bug', color: '#ff0000' })
  await make(`/projects/${id}/labels`, { name: 'to do', color: '#eeeeee', description: 'Later' })
  await make(`/projects/${id}/milestones`, { title: 'v1 beta' })
  const snippet = { title: 'A snippet', file_name: 'a.txt', code: 'x', visibility: 'public' }
  await make(`/projects/${id}/snippets`, snippet)
}

interface Request {
  token?: string | undefined
  gfm?: boolean
  project?: string | number | undefined
}

function post(body: object, token?: string) {
  return server.inject('POST', '/markdown', { body, ...(token !== undefined && { token }) })
}

/** The content of the only paragraph of the response. */
async function inline(text: string, request: Request = {}): Promise<string> {
  const { token = server.root.token, gfm = true, project: projectId = project.id } = request
  const { status, body, text: answer } = await post({ text, gfm, project: projectId }, token)
  if (status !== 201) throw new Error(`${status} ${answer}`)
  return /^<p>([\s\S]*)<\/p>\n$/.exec(body.html)?.[1] ?? body.html
}

describe('POST /markdown', () => {
  it('renders plain Markdown for anonymous callers, without emoji and references', async () => {
    const text = '# A\n\n*b* :tada: #1 <script>alert(1)</script>'
    for (const token of [undefined, guest.token]) {
      const { status, body } = await post({ text }, token)
      expect({ status, body }).toEqual({
        status: 201,
        body: { html: '<h1>A</h1>\n<p><em>b</em> :tada: #1 </p>\n' },
      })
    }
    const placed = await post({ text: '#1', project: project.id })
    expect(placed.body.html).toBe('<p>#1</p>\n')
  })

  it('accepts form bodies and an empty text', async () => {
    const form = await server.inject('POST', '/markdown', { form: 'text=*a*&gfm=true' })
    expect([form.status, form.body]).toEqual([201, { html: '<p><em>a</em></p>\n' }])
    expect((await post({ text: '' })).body).toEqual({ html: '' })
  })

  it('renders GitLab Flavored Markdown without a project', async () => {
    const { body } = await post({ text: ':tada: #1', gfm: true })
    expect(body.html).toBe(
      '<p><gl-emoji title="party popper" data-name="tada">🎉</gl-emoji> #1</p>\n',
    )
    const { body: named } = await post(
      { text: `${project.path_with_namespace}#1 ${project.path}#1`, gfm: true },
      guest.token,
    )
    expect(named.html).toContain(`>${project.path_with_namespace}#1</a> ${project.path}#1</p>`)
  })

  it.each([
    ['no text', {}, 400],
    ['a text that is none', { text: { a: 1 } }, 400],
    ['a NUL', { text: 'a\0' }, 400],
    ['no boolean', { text: 'a', gfm: 'perhaps' }, 400],
    ['no such project', { text: 'a', project: 'no/such' }, 404],
    ['a name that is no path', { text: 'a', project: 'a' }, 404],
    ['a project of two', { text: 'a', project: ['a/b', 'c/d'] }, 400],
  ])('refuses %s', async (_, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  it('returns 404 for a project that the caller may not see, with gfm or without', async () => {
    for (const token of [undefined, stranger.token]) {
      for (const gfm of [true, false]) {
        const { status, body } = await post({ text: '#1', gfm, project: secret.id }, token)
        expect([status, body]).toEqual([404, { message: '404 Project Not Found' }])
      }
    }
    const path = await post({ text: '#1', project: secret.path_with_namespace }, server.root.token)
    expect(path.status).toBe(201)
  })

  it('returns 401 for a wrong token', async () => {
    expect((await post({ text: 'a' }, 'wrong')).status).toBe(401)
  })
})

describe('POST /markdown with references', () => {
  it('links an issue by its short form in the project, and by its path elsewhere', async () => {
    const attributes = (original: string, id: number) =>
      `title="An &quot;issue&quot; &lt;b&gt;" class="gfm gfm-issue" data-original="${original}" ` +
      `data-reference-type="issue" data-project="${id}" data-issue=`
    const html = await inline('#1')
    expect(html).toContain(`<a href="${web()}/${project.path_with_namespace}/issues/1" `)
    expect(html).toContain(attributes('#1', project.id))
    expect(html).toMatch(/>#1<\/a>$/)
    const near = `${neighbour.path}#1`
    expect(await inline(near)).toContain(attributes(near, neighbour.id))
    expect(await inline(near)).toMatch(new RegExp(`>${near}</a>$`))
    const full = `${neighbour.path_with_namespace}#1`
    expect(await inline(full)).toMatch(new RegExp(`>${near}</a>$`))
    const elsewhere = await server.buildProject()
    expect(await inline(full, { project: elsewhere.id })).toMatch(new RegExp(`>${full}</a>$`))
    const url = `${web()}/${project.path_with_namespace}/issues/1`
    expect(await inline(`${url} ${url}#note_5`)).toMatch(/>#1<\/a> .*>#1 \(comment 5\)<\/a>$/)
  })

  it('links milestones, labels, snippets, users, groups and @all', async () => {
    const path = `${web()}/${project.path_with_namespace}`
    const both = await inline('%1 %"v1 beta"')
    expect(both.match(/class="gfm gfm-milestone"/g)).toHaveLength(2)
    expect(both.match(/>%"v1 beta"<\/a>/g)).toHaveLength(2)
    expect(both).toContain(`href="${path}/milestones/1"`)
    expect(await inline('~bug')).toMatch(
      /^<a href="[^"]*\/issues\?label_name=bug" class="gfm gfm-label" .*><span class="label color-label" style="background-color: #ff0000; color: #FFFFFF">bug<\/span><\/a>$/,
    )
    expect(await inline('~"to do"')).toContain('title="Later"')
    expect(await inline(`@${guest.username}`)).toBe(
      `<a href="${web()}/${guest.username}" title="Gu &quot;&lt;b&gt;&quot; Est" class="gfm gfm-project_member" ` +
        `data-original="@${guest.username}" data-reference-type="user" data-user="${guest.id}">@${guest.username}</a>`,
    )
    expect(await inline(`@${group.path}`)).toContain(`href="${web()}/groups/${group.path}"`)
    expect(await inline('@all')).toContain(`href="${path}" title="All Project and Group Members"`)
    const { body: snippets } = await server.inject('GET', `/projects/${project.id}/snippets`, {
      token: guest.token,
    })
    expect(await inline(`$${snippets[0].id}`)).toContain(
      `<a href="${path}/snippets/${snippets[0].id}" title="A snippet" class="gfm gfm-snippet"`,
    )
  })

  it('links labels by id, and prefers those of the project to those of its groups', async () => {
    const token = server.root.token
    const own = await make(`/projects/${project.id}/labels`, { name: 'both', color: '#111111' })
    const above = await make(`/groups/${group.id}/labels`, { name: 'above', color: '#222222' })
    await make(`/groups/${group.id}/labels`, { name: 'both', color: '#333333' })
    await make(`/groups/${group.id}/milestones`, { title: 'above' })
    expect(await inline('~above', { token })).toContain('background-color: #222222')
    expect(await inline('~both', { token })).toContain('background-color: #111111')
    expect(await inline(`${neighbour.path}~both`, { token })).toContain('background-color: #333333')
    expect(await inline(`~${own.id} ~${above.id}`)).toMatch(/#111111.*#222222/)
    expect(await inline('%above')).toContain(`href="${web()}/groups/${group.path}/-/milestones/1"`)
    const url = `${web()}/groups/${group.path}/-/milestones/1`
    expect(await inline(url)).toMatch(/class="gfm gfm-milestone".*>%above<\/a>$/)
  })

  it('links merge requests and epics', async () => {
    const commits = commitHelpers(server)
    await commits.must(project.id, [create('c.md')], { branch: 'topic', start_branch: 'main' })
    await server.buildMergeRequest(project, 'topic', 'main', { title: 'A change' })
    expect(await inline('!1')).toMatch(
      /^<a href="[^"]*\/merge_requests\/1" title="A change" class="gfm gfm-merge_request" .*>!1<\/a>$/,
    )
    const { iid } = await insertEpic(server, group.id, {})
    const html = await inline(`&${iid}`)
    expect(html).toContain(
      `groups/${group.path}/-/epics/${iid}" title="An epic" class="gfm gfm-epic"`,
    )
    expect(html).toMatch(new RegExp(`>&amp;${iid}</a>$`))
    expect(await inline(`&${iid}`, { token: stranger.token })).toContain('gfm-epic')
  })

  it('links commits and ranges of them', async () => {
    const path = `${web()}/${project.path_with_namespace}`
    const link = await inline(sha.slice(0, 7))
    expect(link).toContain(
      `href="${path}/commit/${sha}" title="Then &lt;b&gt;" class="gfm gfm-commit"`,
    )
    expect(link).toMatch(new RegExp(`>${sha.slice(0, 8)}</a>$`))
    const range = await inline(`${older}...${sha}`)
    expect(range).toContain(`href="${path}/compare/${older}...${sha}"`)
    expect(range).toMatch(new RegExp(`>${older.slice(0, 8)}\\.\\.\\.${sha.slice(0, 8)}</a>$`))
    const far = await inline(`${project.path}@${sha}`, { project: neighbour.id })
    expect(far).toMatch(new RegExp(`>${project.path}@${sha.slice(0, 8)}</a>$`))
    // A branch name can equal the start of a hash.
    const commits = commitHelpers(server)
    await commits.must(project.id, [create('d.md')], { branch: 'abcdef1', start_branch: 'main' })
    expect(await inline('abcdef1 0000000')).toBe('abcdef1 0000000')
  })

  it('treats what the caller may not see as not existing', async () => {
    const hidden = ['#1', '!1', '%1', '%"v1 beta"', '~bug', '$1', '#999', `@${sha}`]
    for (const what of hidden) {
      const text = `${secret.path}${what}`
      for (const token of [stranger.token, guest.token]) {
        expect(await inline(text, { token })).toBe(text)
      }
    }
    expect(await inline(`${secret.path}#1`)).toContain('gfm-issue')
    const url = `${web()}/${secret.path_with_namespace}/issues/1`
    const none = `${web()}/${secret.path_with_namespace}/issues/999`
    for (const address of [url, none]) {
      expect(await inline(address, { token: stranger.token })).toBe(
        `<a href="${address}">${address}</a>`,
      )
    }
  })

  it('links confidential issues only for users who may read them', async () => {
    expect(await inline('#2')).toContain('gfm-issue')
    expect(await inline('#2', { token: guest.token })).toBe('#2')
    expect(await inline('#2', { token: stranger.token })).toBe('#2')
    const body = { title: 'Mine', confidential: true }
    const own = await make(`/projects/${project.id}/issues`, body, guest.token)
    expect(await inline(`#${own.iid}`, { token: guest.token })).toContain('title="Mine"')
    expect(await inline(`#${own.iid}`, { token: stranger.token })).toBe(`#${own.iid}`)
  })

  it('links no users without a token, but public content of a public project', async () => {
    const named = `@${guest.username}`
    const text = `${named} ~bug %1 #1 #2`
    const { body } = await post({ text, gfm: true, project: project.id })
    const kinds = [...body.html.matchAll(/class="gfm (gfm-[a-z]+)"/g)].map(([, kind]) => kind)
    expect(kinds).toEqual(['gfm-label', 'gfm-milestone', 'gfm-issue'])
    expect(body.html).toMatch(new RegExp(`^<p>${named} <a .*</a> #2</p>\\n$`))
  })

  it('links no commits for callers who may not read the code', async () => {
    const closed = await server.buildProject({
      visibility: 'public',
      repository_access_level: 'private',
    })
    const { id } = await commitHelpers(server).must(closed.id, [create('a.md')])
    const options = { project: closed.id }
    expect(await inline(id, options)).toContain('gfm-commit')
    expect(await inline(id, { ...options, token: stranger.token })).toBe(id)
  })

  it('runs the same number of queries for any number of references', async () => {
    const { db } = server.app
    const path = neighbour.path_with_namespace
    const texts = [
      `#1 ~bug %1 @${guest.username} ${sha} ${path}#1`,
      `#1 #2 #3 ${path}#1 ${path}#2 ~bug ~"to do" ~x %1 %2 @${guest.username} @root @x ${sha} ${older}`,
    ]
    const counts: number[] = []
    for (const text of [...texts, ...texts]) {
      const before = db.stats.queries
      await inline(text)
      counts.push(db.stats.queries - before)
    }
    expect(counts[3]).toBe(counts[2])
    expect(counts[3]).toBeLessThan(20)
  })

  it('responds quickly for a text full of references, and ignores those beyond the limit', async () => {
    const many = Array.from({ length: 30_000 }, (_, at) => `#${at + 1}`).join(' ')
    const html = await inline(many)
    expect(html.match(/class="gfm gfm-issue"/g)?.length).toBeGreaterThan(1)
    const references = Array.from({ length: 300 }, (_, at) => `a/b${at}#1`).join(' ')
    expect(await inline(references)).toBe(references)
  })

  it('leads relative links of a file to what is beside it, at its ref', async () => {
    const text = '[a](b.md) [up](../x/) [root](/c.md) ![i](i.png) [part](#top)'
    const file = { project: project.path_with_namespace, ref: 'v1/ü', path: 'docs/guide/a.md' }
    const { status, body } = await post({ text, gfm: true, ...file })
    expect(status).toBe(201)
    const base = `${web()}/${project.path_with_namespace}`
    expect([...body.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      `${base}/blob/v1/%C3%BC/docs/guide/b.md`,
      `${base}/tree/v1/%C3%BC/docs/x/`,
      `${base}/blob/v1/%C3%BC/c.md`,
      `${base}/raw/v1/%C3%BC/docs/guide/i.png`,
      '#top',
    ])
  })
})

describe('POST /markdown/batch', () => {
  const postAll = (body: object, token?: string) =>
    server.inject('POST', '/markdown/batch', { body, ...(token !== undefined && { token }) })

  it('renders each text as POST /markdown does, in order, also empty ones', async () => {
    const texts = ['**a** #1, *b*', '', ':tada: !99 ~bug', '# A <script>', '#1']
    for (const token of [undefined, guest.token]) {
      for (const gfm of [true, false]) {
        const { status, body } = await postAll({ texts, gfm, project: project.id }, token)
        const each = await Promise.all(
          texts.map(async (text) => (await post({ text, gfm, project: project.id }, token)).body),
        )
        expect({ status, body }).toEqual({ status: 201, body: each })
      }
    }
  })

  it('looks references up once, whatever the number of texts', async () => {
    const count = async (texts: string[]) => {
      const before = server.app.db.stats.queries
      const { status } = await postAll({ texts, gfm: true, project: project.id }, guest.token)
      expect(status).toBe(201)
      return server.app.db.stats.queries - before
    }
    const texts = ['#1 ~bug', '#2 @root', '%"v1 beta" #1']
    const three = await count(texts)
    expect(await count(Array.from({ length: 10 }, () => texts).flat())).toBe(three)
  })

  it.each([
    ['a text that is none', { texts: [{ a: 1 }] }, 400],
    ['no list', { texts: 'a' }, 400],
    ['no texts', {}, 400],
    ['a NUL', { texts: ['a', 'b\0'] }, 400],
    ['more than 100 texts', { texts: Array.from({ length: 101 }, () => 'a') }, 400],
    ['more than a body may have', { texts: ['a'.repeat(600_000), 'a'.repeat(600_000)] }, 413],
    ['no such project', { texts: ['a'], project: 'no/such' }, 404],
  ])('refuses %s', async (_, body, status) => {
    expect((await postAll(body)).status).toBe(status)
  })

  it('returns 404 for a project that the caller may not see', async () => {
    const { status } = await postAll({ texts: ['a'], project: secret.id }, stranger.token)
    expect(status).toBe(404)
  })

  it('leads [[Page]] and [[Title|page]] on a page of a wiki to its pages, from its root', async () => {
    const base = `${web()}/${project.path_with_namespace}/-/wikis`
    const cases: [text: string, ...links: [href: string, text: string][]][] = [
      ['[[Home]]', [`${base}/Home`, 'Home']],
      ['a [[First steps]] b', [`${base}/First-steps`, 'First steps']],
      [
        '[[the <b>guide|guides/in stall#Wh at]]',
        [`${base}/guides/in-stall#Wh%20at`, 'the <b>guide'],
      ],
      ['[[../../x]]'],
      ['[[a]][[b]]', [`${base}/a`, 'a'], [`${base}/b`, 'b']],
      ['[x [[a]] and [[b]] y', [`${base}/a`, 'a'], [`${base}/b`, 'b']],
      ['[[[x]]', [`${base}/x`, 'x']],
      ['[[a [[b]]', [`${base}/b`, 'b']],
      ['| a |\n|---|\n| [[T\\|p]] |', [`${base}/p`, 'T']],
      ['[[#here]]', ['#here', '#here']],
      ['[[web|https://b.c]]', ['https://b.c', 'web']],
      ['[[x|javascript:alert(1)]]', [`${base}/javascript%3Aalert(1)`, 'x']],
      ['`[[a]]`'],
      ['\\[[a]]'],
      ['[[]]'],
      ['[[a|]]'],
      ['[[|a]]'],
      ['[[a\nb]]'],
      ['[[a'],
      [`[[${'a'.repeat(3000)}]]`],
    ]
    const texts = cases.map(([text]) => text)
    const { body } = await postAll({
      texts,
      gfm: true,
      project: project.id,
      wiki: 'guides/install',
    })
    const shown = body.map(({ html }: Json) =>
      parse(html)
        .querySelectorAll('a')
        .map((link) => [link.getAttribute('href'), link.text]),
    )
    expect(shown).toEqual(cases.map(([, ...links]) => links))
    const outside = await postAll({ texts: ['[[Home]]'], gfm: true, project: project.id })
    expect(outside.body[0].html).toContain('[[Home]]')
  })

  it('leads relative links of a page of a wiki to its other pages and files', async () => {
    const file = `uploads/${'a'.repeat(32)}/a.png`
    const texts = [
      '[a](home)',
      '[a](../top)',
      '[a](/guides/x)',
      `![a](${file})`,
      '[a](https://b.c)',
    ]
    const { body } = await postAll({
      texts,
      gfm: true,
      project: project.id,
      wiki: 'guides/install',
    })
    const base = `${web()}/${project.path_with_namespace}`
    const addresses = body.map(({ html }: Json) => /(?:href|src)="([^"]*)"/.exec(html)?.[1])
    expect(addresses).toEqual([
      `${base}/-/wikis/guides/home`,
      `${base}/-/wikis/top`,
      `${base}/-/wikis/guides/x`,
      `${base}/wikis/${file}`,
      'https://b.c',
    ])
  })
})
