/*
 * The page of an issue: what it shows and to whom, its discussion, reactions, tasks, properties, and what
 * is refused.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let guest: TestUser
let browser: WebBrowser
let guestBrowser: WebBrowser
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  guest = await server.buildUser({ name: 'Lee' })
  project = await server.buildProject({ name: 'app', visibility: 'private' }, owner)
  path = `/${project.path_with_namespace}/-/issues`
  await server.addMember(`projects/${project.id}`, guest.id, 10)
  browser = await openBrowser(server, owner)
  guestBrowser = await openBrowser(server, guest)
})
afterAll(() => server.close())

async function call(method: 'GET' | 'POST' | 'PUT', at: string, body?: object): Promise<Json> {
  const answer = await server.inject(method, `/projects/${project.id}${at}`, {
    token: owner.token,
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status >= 400) throw new Error(`${at}: ${answer.status} ${answer.text}`)
  return answer.body
}

const openIssue = (body: object = {}) => call('POST', '/issues', { title: 'Broken', ...body })
const issueOf = (iid: number) => call('GET', `/issues/${iid}`)
const notesOf = (iid: number) => call('GET', `/issues/${iid}/notes?sort=asc`)

describe('GET /-/issues/:iid', () => {
  it('shows the issue, its properties and its discussion', async () => {
    await call('POST', '/labels', { name: 'bug', color: '#ff0000' })
    const { iid } = await openIssue({
      description: 'Since **today**, see #1',
      labels: 'bug',
      due_date: '2031-02-03',
      assignee_ids: [owner.id],
    })
    await call('POST', `/issues/${iid}/notes`, { body: 'Me *too*' })
    const page = await browser.open(`${path}/${iid}`)
    expect(page).toMatchObject({ status: 200, heading: `Broken #${iid}` })
    expect(page.texts('.card .prose strong')).toEqual(['today'])
    expect(page.texts('.comment .prose em')).toEqual(['too'])
    expect(page.texts('.aside .label')).toEqual(['bug'])
    expect(page.texts('.aside time')).toEqual(['Feb 3, 2031'])
    expect(page.texts('.event-text').join()).toContain('added bug')
    expect(page.document.querySelectorAll('.badge.large, .badge.good').length).toBeGreaterThan(0)
  })

  it('answers 404 to strangers and visitors, and to guests for a confidential one', async () => {
    const { iid } = await openIssue({ confidential: true })
    const stranger = await openBrowser(server, await server.buildUser())
    const visitor = await openBrowser(server)
    expect((await stranger.open(`${path}/${iid}`)).status).toBe(404)
    expect((await visitor.open(`${path}/${iid}`)).status).toBe(404)
    for (const address of [`${path}/${iid}`, `${path}/${iid}/edit`]) {
      expect((await guestBrowser.open(address)).status).toBe(404)
    }
    expect((await browser.open(`${path}/${iid}`)).status).toBe(200)
    expect((await browser.open(`${path}/99999`)).status).toBe(404)
    expect((await browser.open(`${path}/no`)).status).toBe(404)
  })

  it('offers guests a comment, but nothing that they may not change', async () => {
    const { iid } = await openIssue()
    const page = await guestBrowser.open(`${path}/${iid}`)
    const buttons = page.texts('button')
    expect(buttons).toContain('Comment')
    expect(buttons).not.toContain('Comment and close')
    expect(buttons).not.toContain('Delete issue')
    expect(page.texts('a')).not.toContain('Edit')
  })

  it('offers guests the text of their own issue, but not its plan, which they may not change', async () => {
    const { body: issue } = await server.inject('POST', `/projects/${project.id}/issues`, {
      token: guest.token,
      body: { title: 'Of a guest' },
    })
    const page = await guestBrowser.open(`${path}/${issue.iid}`)
    expect(page.texts('a')).toContain('Edit')
    const fieldsOf = (shown: typeof page) =>
      shown.document.querySelectorAll('.aside [name]').map((field) => field.getAttribute('name'))
    expect(fieldsOf(page)).not.toContain('labels')
    expect(fieldsOf(page)).not.toContain('due_date')
    expect(fieldsOf(await browser.open(`${path}/${issue.iid}`))).toEqual(
      expect.arrayContaining(['labels', 'due_date']),
    )
  })

  it('escapes hostile texts', async () => {
    const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script> \u202Eevil 🎉'
    const { iid } = await openIssue({ title: hostile, description: hostile, labels: '<b>"x' })
    await call('POST', `/issues/${iid}/notes`, { body: hostile })
    const page = await browser.open(`${path}/${iid}`)
    expect(page.heading).toBe(`${hostile} #${iid}`)
    expect(page.document.querySelectorAll('script:not([src])')).toEqual([])
    expect(page.text).not.toContain('<img src=x')
    expect(page.texts('.aside .label')).toEqual(['<b>"x'])
  })

  it('makes the same number of calls for one comment as for many', async () => {
    const { iid } = await openIssue()
    const count = async () => {
      const before = server.app.db.stats.queries
      await browser.open(`${path}/${iid}`)
      return server.app.db.stats.queries - before
    }
    for (const body of ['One #1', 'Two #1']) await call('POST', `/issues/${iid}/notes`, { body })
    await count()
    const few = await count()
    for (let at = 0; at < 20; at += 1)
      await call('POST', `/issues/${iid}/notes`, { body: 'More #1' })
    await count()
    expect(await count()).toBeLessThanOrEqual(few)
  })
})

describe('the discussion of an issue', () => {
  it('takes comments, replies, and closes with a comment', async () => {
    const { iid } = await openIssue()
    let page = await (await browser.open(`${path}/${iid}`)).press('Comment', { body: 'Why?' })
    expect(page.texts('.comment .prose')).toEqual(['Why?'])
    const [note] = await notesOf(iid)
    const form = await browser.open(`${path}/${iid}`)
    page = await form.press('Reply', { body: 'Because' })
    expect(page.texts('.thread .comment .prose')).toEqual(['Why?', 'Because'])
    expect(page.document.getElementById(`note_${note.id}`)).not.toBeNull()
    page = await page.press('Comment and close', { body: 'Done' })
    expect((await issueOf(iid)).state).toBe('closed')
    expect(page.texts('.event-text').join()).toContain('closed')
    await page.press('Comment and reopen', { body: '' })
    expect((await issueOf(iid)).state).toBe('opened')
  })

  it('shows a refused comment again, with what was typed', async () => {
    const { iid } = await openIssue()
    await call('POST', `/issues/${iid}/notes`, { body: 'Why?' })
    const form = await browser.open(`${path}/${iid}`)
    const page = await form.press('Comment', { body: '   ' })
    expect(page.status).toBe(422)
    expect(page.texts('.summary li')).toEqual(["Note can't be blank."])
    const reply = await (await browser.open(`${path}/${iid}`)).press('Reply', { body: ' ' })
    expect(reply.status).toBe(422)
    expect(reply.document.querySelector('details.reply[open]')).not.toBeNull()
  })

  it('has own comments edited and deleted, and those of others by maintainers', async () => {
    const { iid } = await openIssue()
    const form = await guestBrowser.open(`${path}/${iid}`)
    await form.press('Comment', { body: 'Tpyo' })
    const edit = await (await guestBrowser.open(`${path}/${iid}`)).follow('Edit or delete')
    const saved = await edit.press('Save comment', { body: 'Typo' })
    expect(saved.texts('.comment .prose')).toEqual(['Typo'])
    const refused = await edit.press('Save comment', { body: ' ' })
    expect(refused).toMatchObject({ status: 422 })
    const again = await (await browser.open(`${path}/${iid}`)).follow('Edit or delete')
    const gone = await again.press('Delete comment')
    expect(gone.texts('.comment .prose')).toEqual([])
    await call('POST', `/issues/${iid}/notes`, { body: 'Mine' })
    expect((await guestBrowser.open(`${path}/${iid}`)).texts('a')).not.toContain('Edit or delete')
  })

  it('takes reactions to the issue and to comments, and takes them back', async () => {
    const { iid } = await openIssue()
    await call('POST', `/issues/${iid}/notes`, { body: 'Why?' })
    let page = await (await browser.open(`${path}/${iid}`)).press('React with tada')
    expect(page.texts('.reactions button[aria-pressed=true]')).toEqual(['🎉 1'])
    page = await page.press('tada, 1 reaction')
    expect(page.texts('.reactions button[aria-pressed]')).toEqual([])
    const [note] = await notesOf(iid)
    await call('POST', `/issues/${iid}/notes/${note.id}/award_emoji`, { name: 'heart' })
    const other = await guestBrowser.open(`${path}/${iid}`)
    expect(other.texts('.comment .reactions button[aria-pressed=false]')).toEqual(['❤️ 1'])
  })

  it('is shown in pages, and the address of a note leads to its page', async () => {
    const { iid } = await openIssue()
    for (let at = 1; at <= 35; at += 1) {
      await call('POST', `/issues/${iid}/notes`, { body: `Comment ${at}` })
    }
    const first = await browser.open(`${path}/${iid}`)
    expect(first.texts('.comment .prose')).toHaveLength(30)
    const newest = await first.follow('Newest')
    expect(newest.texts('.comment .prose').at(-1)).toBe('Comment 35')
    const notes = await call('GET', `/issues/${iid}/notes?sort=desc`)
    const page = await browser.open(`${path}/${iid}?note_id=${notes[0].id}`)
    expect(page.address).toBe(`${path}/${iid}?page=2`)
  })

  it('leads from a new comment or reply to the page that has it', async () => {
    const { iid } = await openIssue()
    const thread = await call('POST', `/issues/${iid}/discussions`, { body: 'First' })
    for (let at = 1; at <= 30; at += 1) {
      await call('POST', `/issues/${iid}/notes`, { body: `Comment ${at}` })
    }
    const first = await browser.open(`${path}/${iid}`)
    const commented = await first.press('Comment', { body: 'The newest' })
    expect(commented.address).toBe(`${path}/${iid}?page=2`)
    expect(commented.texts('.comment .prose')).toEqual(['Comment 30', 'The newest'])
    const replied = await first.press('Reply', { body: 'An answer' })
    expect(replied.address).toBe(`${path}/${iid}`)
    expect(replied.texts(`#discussion_${thread.id} .prose`)).toEqual(['First', 'An answer'])
    const link = replied.document.querySelector('nav.pages a[data-newest]')
    expect(link?.text).toContain('Newest comment by Kim')
    const [newest] = await call('GET', `/issues/${iid}/notes?activity_filter=only_comments`)
    expect(link?.getAttribute('href')).toBe(`${path}/${iid}?note_id=${newest.id}#note_${newest.id}`)
  })

  it('shows a refused comment, reply or edit on the page that it was written on', async () => {
    const { iid } = await openIssue()
    for (let at = 1; at <= 32; at += 1) {
      await call('POST', `/issues/${iid}/notes`, { body: `Comment ${at}` })
    }
    const second = await browser.open(`${path}/${iid}?page=2`)
    const shown = ['Comment 31', 'Comment 32']
    const long = 'x'.repeat(1_000_001)
    for (const button of ['Comment', 'Reply']) {
      const refused = await second.press(button, { body: long })
      expect(refused.status).toBe(422)
      expect(refused.texts('.comment .prose')).toEqual(shown)
      const typed = refused.document.querySelectorAll('textarea').map(({ text }) => text.trim())
      expect(typed).toContain(long)
    }
    const edit = await second.follow('Edit or delete')
    const again = await edit.press('Save comment', { body: ' ' })
    expect(again.status).toBe(422)
    expect(again.texts('.comment .prose')).toEqual(['Comment 32'])
    const form = again.document.querySelector('input[name=back]')
    expect(form?.getAttribute('value')).toBe(`${path}/${iid}?page=2`)
  })

  it('shows a refused reply on the page of a long thread that it was written on', async () => {
    const { iid } = await openIssue()
    const thread = await call('POST', `/issues/${iid}/discussions`, { body: 'Reply 0' })
    const replies = `/issues/${iid}/discussions/${thread.id}/notes`
    for (let at = 1; at <= 51; at += 1) await call('POST', replies, { body: `Reply ${at}` })
    const second = await browser.open(`${path}/${iid}?discussion=${thread.id}&page=2`)
    const refused = await second.press('Reply', { body: ' ' })
    expect(refused.status).toBe(422)
    expect(refused.texts('.comment .prose')).toEqual(['Reply 50', 'Reply 51'])
    const sent = await second.press('Reply', { body: 'Reply 52' })
    expect(sent.texts('.comment .prose').at(-1)).toBe('Reply 52')
  })

  it('shows long threads in part, and all of them on pages of their own', async () => {
    const { iid } = await openIssue()
    const thread = await call('POST', `/issues/${iid}/discussions`, { body: 'Reply 0' })
    const replies = `/issues/${iid}/discussions/${thread.id}/notes`
    for (let at = 1; at <= 110; at += 1) await call('POST', replies, { body: `Reply ${at}` })
    const page = await browser.open(`${path}/${iid}`)
    expect(page.texts('.comment .prose')).toEqual(['Reply 0', 'Reply 109', 'Reply 110'])
    const whole = await page.follow('Show 108 more replies')
    expect(whole.texts('.comment .prose')).toHaveLength(50)
    const [, , , , , note] = (await call('GET', `${replies}?per_page=100&page=1`)).slice(60)
    const there = await browser.open(`${path}/${iid}?note_id=${note.id}`)
    expect(there.address).toBe(`${path}/${iid}?discussion=${thread.id}&page=2`)
    expect(there.texts('.comment .prose')).toContain('Reply 65')
  }, 60_000)
})

describe('the properties of an issue', () => {
  it('are changed by small forms beside it', async () => {
    const { iid } = await openIssue()
    const open = () => browser.open(`${path}/${iid}`)
    await (await open()).press('Save labels', { labels: 'one, two' })
    await (await open()).press('Save assignees', { assignees: `@${guest.username}` })
    await (await open()).press('Save due date', { due_date: '2031-02-03' })
    await (await open()).press('Make confidential')
    await (await open()).press('Lock discussion')
    await (await open()).press('Save time', { spent: '1h', estimate: '2d' })
    expect(await issueOf(iid)).toMatchObject({
      labels: ['one', 'two'],
      assignees: [{ id: guest.id }],
      due_date: '2031-02-03',
      confidential: true,
      discussion_locked: true,
      time_stats: { time_estimate: 57_600, total_time_spent: 3600 },
    })
    const refused = await (await open()).press('Save assignees', { assignees: '@nobody-here' })
    expect(refused).toMatchObject({ status: 422, heading: 'Nothing was changed' })
  })

  it('are edited on a page, which keeps what was typed when somebody was faster', async () => {
    const { iid } = await openIssue({ description: 'Old' })
    const milestone = await call('POST', '/milestones', { title: `v${iid}` })
    const form = await (await browser.open(`${path}/${iid}`)).follow('Edit')
    await call('PUT', `/issues/${iid}`, { title: 'Faster' })
    const again = await form.press('Save changes', { title: 'Mine', description: 'New' })
    expect(again.status).toBe(422)
    expect(again.document.getElementById('title')?.getAttribute('value')).toBe('Mine')
    const values = { milestone_id: String(milestone.id), confidential: '1' }
    const saved = await again.press('Save changes', values)
    expect(saved.heading).toBe(`Mine #${iid}`)
    expect(await issueOf(iid)).toMatchObject({
      description: 'New',
      confidential: true,
      milestone: { id: milestone.id },
    })
    const refused = await (await browser.open(`${path}/${iid}/edit`)).press('Save changes', {
      title: ' ',
    })
    expect(refused.texts('.summary li')).toEqual(["Title can't be blank."])
  })

  it('tick tasks of the description', async () => {
    const { iid } = await openIssue({ description: '- [ ] one\n- [ ] two\n\n```\n- [ ] no\n```' })
    const page = await browser.open(`${path}/${iid}`)
    expect(page.texts('.tasks summary')).toEqual(['0 of 2 tasks done'])
    const ticked = await page.press('two')
    expect((await issueOf(iid)).description).toBe('- [ ] one\n- [x] two\n\n```\n- [ ] no\n```')
    expect(ticked.texts('.tasks summary')).toEqual(['1 of 2 tasks done'])
    const stale = await page.press('one')
    expect(stale).toMatchObject({ status: 422, heading: 'Nothing was changed' })
    await ticked.press('two')
    expect((await issueOf(iid)).description).toContain('- [ ] two')
  })

  it('relate it to another, subscribe, add a to-do, move and delete it', async () => {
    const { iid } = await openIssue()
    const { iid: other } = await openIssue({ title: 'Other' })
    const open = () => browser.open(`${path}/${iid}`)
    const linked = await (await open()).press('Add', { reference: `#${other}` })
    expect(linked.texts('.aside li a')).toContain(`#${other} Other`)
    const unlinked = await linked.press(`Remove the link to #${other}`)
    expect(unlinked.texts('.aside li a')).not.toContain(`#${other} Other`)
    expect((await unlinked.press('Add', { reference: 'x y' })).status).toBe(422)
    await (await open()).press('Unsubscribe')
    expect((await issueOf(iid)).subscribed).toBe(false)
    await (await open()).press('Add a to-do')
    expect((await (await open()).press('Add a to-do')).status).toBe(200)
    const target = await server.buildProject({ name: 'target' }, owner)
    const moved = await (await open()).press('Move issue', { project: target.path_with_namespace })
    expect(moved.address).toBe(`/${target.path_with_namespace}/-/issues/1`)
    const gone = await moved.press('Delete issue')
    expect(gone).toMatchObject({ status: 200, heading: 'Issues' })
  })
})
