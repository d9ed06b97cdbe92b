// Format: plain text and HTML with absolute links and without images, the subject
// `Project | Title (#1)` and `Re:`, `Message-ID`, `In-Reply-To`, `References`, `List-Id`,
// `List-Unsubscribe` with `List-Unsubscribe-Post`, `X-Stithy-*` and `X-GitLab-*`, the setting
// `email_author_in_body`. No title and no name adds a header.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import {
  type ReceivedMail,
  startMailServer,
  type TestMailServer,
} from '../../testing/clients/mail-server.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let mailServer: TestMailServer
let server: TestServer
let actor: TestUser
let reader: TestUser
let project: Json
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config() })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})
beforeEach(async () => {
  actor = await server.buildUser({ name: 'Grace Hopper' })
  reader = await server.buildUser()
  project = await server.buildProject({ visibility: 'public' }, actor)
  const path = `/projects/${project.id}/notification_settings`
  await callAs(server, 'PUT', path, reader.token, { level: 'watch' })
  await server.runJobs()
  mailServer.take()
})

/** The one mail of what happened since the last call. */
async function mail(): Promise<ReceivedMail> {
  await server.runJobs()
  const [one, ...others] = mailServer.take()
  if (one === undefined || others.length > 0) throw new Error(`${others.length} other mails`)
  return one
}

const issuesPath = () => `/projects/${project.id}/issues`
const openIssue = (body: object = {}): Promise<Json> =>
  created(server, issuesPath(), { title: 'A title', ...body }, actor)
const comment = (iid: number, body: string): Promise<Json> =>
  created(server, `${issuesPath()}/${iid}/notes`, { body }, actor)
const header = ({ headers }: ReceivedMail, name: string) => headers.get(name)

describe('the mails about an issue', () => {
  it('form a thread', async () => {
    const { id, iid } = await openIssue()
    const first = await mail()
    expect(first.subject).toBe(`${project.name} | A title (#${iid})`)
    expect(first.messageId).toBe(`<issue_${id}@stithy.test>`)
    expect(first.inReplyTo).toBeUndefined()
    await comment(iid, 'A comment')
    const second = await mail()
    expect(second.subject).toBe(`Re: ${project.name} | A title (#${iid})`)
    expect([second.inReplyTo, second.references]).toEqual([first.messageId, first.messageId])
    await comment(iid, 'Another one')
    const third = await mail()
    expect(third.inReplyTo).toBe(first.messageId)
    expect(new Set([first, second, third].map(({ messageId }) => messageId)).size).toBe(3)
  })

  it('are by who did it, from the address of the instance, to the reader', async () => {
    await openIssue()
    const { from, to, date } = await mail()
    expect(from?.value).toEqual([{ name: 'Grace Hopper', address: 'git@stithy.test' }])
    expect(to).toMatchObject({ value: [{ name: reader.name, address: reader.email }] })
    expect(date).toBeInstanceOf(Date)
  })

  it('have the headers that filters match', async () => {
    const { id, iid } = await openIssue({ description: `@${reader.username}` })
    const opened = await mail()
    const expected = {
      project: project.name,
      'project-id': String(project.id),
      'project-path': project.path_with_namespace,
      'issue-id': String(id),
      'issue-iid': String(iid),
      notificationreason: 'mentioned',
    }
    for (const [name, value] of Object.entries(expected)) {
      expect([name, header(opened, `x-gitlab-${name}`)]).toEqual([name, value])
      expect(header(opened, `x-stithy-${name}`)).toBe(value)
    }
    expect(opened.raw).toContain('X-GitLab-NotificationReason: mentioned')
    expect(opened.raw).toContain(`X-GitLab-Issue-IID: ${iid}`)
    expect(header(opened, 'auto-submitted')).toBe('auto-generated')
    const [owner, path] = project.path_with_namespace.split('/')
    expect(opened.raw).toContain(`<${project.id}.${path}.${owner}.stithy.test>`)
    const note = await comment(iid, 'A comment')
    const answered = await mail()
    const discussions = await callAs(
      server,
      'GET',
      `${issuesPath()}/${iid}/discussions`,
      reader.token,
    )
    const discussion = discussions.body.find((one: Json) =>
      one.notes.some((other: Json) => other.id === note.id),
    )
    expect(header(answered, 'x-gitlab-discussion-id')).toBe(discussion.id)
    expect(answered.text).toContain(`/issues/${iid}?note_id=${note.id}#note_${note.id}`)
  })

  it('are plain text and HTML with absolute links, and load nothing', async () => {
    const other = await openIssue()
    await mail()
    const upload = `/uploads/${'a'.repeat(32)}/x.png`
    const description = [
      `See #${other.iid}, [a file](README.md), [the top](#top) and **this**:`,
      `![a picture](${upload}) ![](https://tracker.example.com/pixel.gif)`,
      '- [x] done\n- [ ] open',
      '<img src="https://tracker.example.com/raw.gif" onerror="alert(1)"><script>alert(1)</script>',
    ].join('\n\n')
    const { iid } = await openIssue({ description })
    const { html, text } = await mail()
    const site = 'http://stithy.test'
    const web = `${site}/${project.path_with_namespace}`
    expect(text).toContain('**this**')
    expect(text).toContain(`${web}/issues/${iid}`)
    expect(html).toContain('<strong>this</strong>')
    expect(html).toContain(`href="${web}/issues/${other.iid}"`)
    expect(html).toContain(`<a href="${web}${upload}">a picture</a>`)
    expect(html).toContain('<a href="https://tracker.example.com/pixel.gif">image</a>')
    expect(html).toContain('[x]')
    expect(html).not.toMatch(/<(?:img|script|link|style|iframe|input)\b/)
    expect(html).not.toMatch(/href="(?!https?:|mailto:)/)
    expect(html).not.toMatch(/\son\w+=/)
  })

  it('show references as the reader sees them', async () => {
    const hidden = await server.buildProject({ visibility: 'private' }, actor)
    const secret = await created(
      server,
      `/projects/${hidden.id}/issues`,
      { title: 'Secret plan' },
      actor,
    )
    const reference = `${hidden.path_with_namespace}#${secret.iid}`
    await openIssue({ description: `See ${reference}` })
    const { html } = await mail()
    expect(html).toContain(reference)
    expect(html).not.toContain('Secret plan')
    expect(html).not.toContain(`${hidden.path_with_namespace}/issues`)
  })

  it('name their author in the body with `email_author_in_body`', async () => {
    const { iid } = await openIssue()
    expect((await mail()).text).not.toContain('Grace Hopper')
    await setSetting(server, 'email_author_in_body', true)
    await comment(iid, 'A comment')
    expect((await mail()).text).toContain(`Grace Hopper commented on issue #${iid}:`)
    await setSetting(server, 'email_author_in_body', false)
  })

  it('are shown as they were written when their markup is many times longer', async () => {
    const { iid } = await openIssue()
    await mail()
    await openIssue({ description: `#${iid} `.repeat(8000) })
    const { html } = await mail()
    expect(html).toContain(`<pre>#${iid} #${iid} `)
  })

  it('are cut when they are long', async () => {
    await openIssue({ description: 'word '.repeat(100_000) })
    const { raw, text } = await mail()
    expect(raw.length).toBeLessThan(200_000)
    expect(text).toContain('The rest of this text is left out.')
  })

  it('have no other header or recipient, whatever the title and the names contain', async () => {
    await openIssue()
    const known = new Set((await mail()).headerLines.map(({ key }) => key))
    const evil = 'x\r\nBcc: eve@example.com\r\n\r\nbody'
    const { id } = await openIssue()
    await mail()
    // The API may refuse these already.
    const args = { id, evil, actorId: actor.id, projectId: project.id }
    await server.app.db.run('test.issue', args, (db, $) =>
      db
        .updateTable('issues')
        .set({ title: $('evil') })
        .where('id', '=', $('id')),
    )
    await server.app.db.run('test.user', args, (db, $) =>
      db
        .updateTable('users')
        .set({ name: $('evil') })
        .where('id', '=', $('actorId')),
    )
    await server.app.db.run('test.project', args, (db, $) =>
      db
        .updateTable('projects')
        .set({ name: $('evil') })
        .where('id', '=', $('projectId')),
    )
    await comment(2, 'A comment')
    const attacked = await mail()
    known.add('in-reply-to').add('references').add('x-gitlab-discussion-id')
    known.add('x-stithy-discussion-id')
    expect(attacked.headerLines.filter(({ key }) => !known.has(key))).toEqual([])
    expect(attacked.recipients).toEqual([reader.email])
    expect(attacked.bcc).toBeUndefined()
  })
})

describe('List-Unsubscribe', () => {
  const isSubscribed = async (iid: number) => {
    const shown = await callAs(server, 'GET', `${issuesPath()}/${iid}`, reader.token)
    return shown.body.subscribed
  }

  /** The path of the link, with which `reader` is subscribed. */
  async function link(iid: number): Promise<string> {
    await callAs(server, 'POST', `${issuesPath()}/${iid}/subscribe`, reader.token)
    await comment(iid, 'A comment')
    const one = await mail()
    expect(header(one, 'list')).toMatchObject({
      'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
    })
    const [, url = ''] =
      /^List-Unsubscribe:\s*<([^>]+)>/m.exec(one.raw.replace(/\r\n[ \t]+/g, '')) ?? []
    expect(url).toMatch(/^http:\/\/stithy\.test\//)
    expect(one.text).toContain(url)
    return url.replace('http://stithy.test', '/')
  }

  it('unsubscribes with a POST, without signing in, from this issue alone', async () => {
    const [one, other] = [await openIssue(), await openIssue()]
    await server.runJobs()
    mailServer.take()
    const path = await link(one.iid)
    await callAs(server, 'POST', `${issuesPath()}/${other.iid}/subscribe`, reader.token)
    const shown = await server.inject('GET', path)
    expect([shown.status, await isSubscribed(one.iid)]).toEqual([200, true])
    const form = 'List-Unsubscribe=One-Click'
    expect((await server.inject('POST', path, { form })).status).toBe(200)
    expect(await isSubscribed(one.iid)).toBe(false)
    expect(await isSubscribed(other.iid)).toBe(true)
    expect((await server.inject('POST', path, { form })).status).toBe(200)
    await comment(one.iid, 'Another comment')
    await server.runJobs()
    expect(mailServer.take()).toEqual([])
  })

  it('is for nothing but what the instance made', async () => {
    const { iid } = await openIssue()
    await mail()
    const path = await link(iid)
    const [, token = ''] = /sent_notifications\/([^/]+)/.exec(path) ?? []
    const plain = `v1.${Buffer.from(`${actor.id}:issue:1`.padStart(40)).toString('base64url')}`
    const otherUse = server.app.secrets.seal(`${actor.id}:issue:1`, 'another purpose')
    const shorter = token.slice(0, -4)
    for (const wrong of [plain, otherUse, shorter, `${token}AAAA`, 'x', 'x'.repeat(2000)]) {
      const to = `//-/sent_notifications/${wrong}/unsubscribe`
      expect((await server.inject('GET', to)).status).toBe(404)
      expect((await server.inject('POST', to, { form: '' })).status).toBe(404)
    }
    await callAs(server, 'DELETE', `${issuesPath()}/${iid}`, server.root.token)
    expect((await server.inject('POST', path, { form: '' })).status).toBe(404)
  })
})
