/*
 * Covered here: the pages of merge requests without JavaScript: lists and their filters, new with the
 * choice of branches and the links of pushes, edit, the overview with approvals and the merge.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser, type WebPage } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildMergeFixture, type MergeFixture } from '../../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: MergeFixture
let path: string
let browser: WebBrowser
let visitor: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

/** A new merge request, and its maintainer's browser. */
async function build(project: object = {}, request: object = {}): Promise<void> {
  fixture = await buildMergeFixture(server, { visibility: 'public', ...project }, request)
  path = `/${fixture.project.path_with_namespace}/-/merge_requests`
  browser = await openBrowser(server, fixture.user as TestUser)
}

async function memberBrowser(level: number): Promise<WebBrowser> {
  const user = await server.buildUser()
  await server.addMember(`projects/${fixture.project.id}`, user.id, level)
  return openBrowser(server, user)
}

const buttons = (page: WebPage) => page.texts('main button')

const odd = '"><img src=x onerror=alert(1)> \u202e<script>alert(1)</script> 👩‍💻'

describe('the list of merge requests', () => {
  beforeAll(() => build())

  it('of a project shows those that are open, and filters them', async () => {
    const page = await browser.open(path)
    expect(page.heading).toBe('Merge requests')
    expect(page.texts('.rows .title')).toEqual(['A title'])
    expect((await page.follow('Merged')).texts('.empty h2')).toEqual(['No merge requests here'])
    const found = await page.press('Apply', { search: 'nothing like it' })
    expect(found.texts('.empty h2')).toEqual(['No merge request matches'])
    expect((await found.follow('Show all that are open')).texts('.rows .title')).toHaveLength(1)
    const none = await browser.open(`${path}?author=nobody-at-all&state=all`)
    expect(none.texts('.rows .title')).toEqual([])
    expect(none.texts('.chosen li')).toEqual(['Author: nobody-at-all'])
    const { username } = server.root
    expect((await browser.open(`${path}?author=${username}`)).texts('.rows .title')).toHaveLength(1)
    const into = await browser.open(
      `${path}?target_branch=main&source_branch=topic&wip=no&sort=oldest`,
    )
    expect(into.texts('.rows .title')).toEqual(['A title'])
  })

  it('of a group and of the viewer spans projects', async () => {
    const mine = await browser.open('/dashboard/merge_requests')
    expect(mine.texts('.empty h2')).toEqual(['No merge requests here'])
    await fixture.call('PUT', '', { assignee_ids: [fixture.user.id] })
    const assigned = await browser.open('/dashboard/merge_requests')
    expect(assigned.texts('.rows .details')[0]).toContain(
      `${fixture.project.path_with_namespace}!1`,
    )
    expect((await browser.open('/dashboard/merge_requests/created')).status).toBe(200)
    const approvers = { approver_ids: [fixture.user.id], approver_group_ids: [] }
    await fixture.call('PUT', '/approvers', approvers)
    const review = await browser.open('/dashboard/merge_requests/review')
    expect(review.texts('.rows .title')).toEqual(['A title'])
    expect((await visitor.open('/dashboard/merge_requests')).address).toContain('/users/sign_in')
  })

  it('of a group shows those into its projects', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    await build({ namespace_id: group.id })
    const page = await browser.open(`/groups/${group.full_path}/-/merge_requests`)
    expect(page.texts('.rows .title')).toEqual(['A title'])
  })

  it('of a private project returns 404 to strangers', async () => {
    await build({ visibility: 'private' })
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(path)).status).toBe(404)
    expect((await stranger.open(`${path}/1`)).status).toBe(404)
  })
})

describe('a new merge request', () => {
  beforeAll(async () => {
    await build()
    await fixture.commitTo('other', { 'o.txt': 'o\n' }, 'Other work\n\nWhy it is done.')
    await fixture.push('other')
    await server.runJobs()
  })

  it('begins with the branches, and opens with what was typed', async () => {
    const choice = await (await browser.open(path)).follow('New merge request')
    const wrong = await choice.press('Compare branches and continue', {
      'merge_request[source_branch]': 'none',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.texts('.summary li')).toEqual(['There is no branch none.'])
    const form = await wrong.press('Compare branches and continue', {
      'merge_request[source_branch]': 'other',
    })
    const refused = await form.press('Create merge request', {
      title: '',
      description: odd,
      assignees: `@${fixture.user.username}`,
    })
    expect(refused.status).toBe(422)
    expect(refused.texts('.summary li')).toEqual(["Title can't be blank."])
    expect(refused.document.getElementById('description')?.text.trim()).toBe(odd)
    const created = await refused.press('Create merge request', { title: odd, labels: 'bug, <b>' })
    expect(created.status).toBe(200)
    expect(created.heading).toContain('<script>alert(1)</script>')
    expect(created.document.querySelector('main script')).toBeNull()
    expect(created.texts('.aside section')[0]).toContain(fixture.user.name)
    expect(created.texts('.aside .label')).toEqual(['<b>', 'bug'])
  })

  it('begins with the form for links that a push prints, and suggests the text of the commit', async () => {
    const link = `${path.replace('/-', '')}/new?merge_request%5Bsource_branch%5D=other`
    const form = await browser.open(link)
    expect(form.heading).toBe('New merge request')
    expect(form.document.getElementById('title')?.getAttribute('value')).toBe('Other work')
    expect(form.document.getElementById('description')?.text.trim()).toBe('Why it is done.')
    const again = await form.press('Create merge request', { assignees: 'nobody-at-all' })
    expect(again.texts('.summary li')).toEqual(['There is no user @nobody-at-all.'])
  })

  it('goes from a fork to what it was forked from', async () => {
    const user = await server.buildUser()
    const own = await openBrowser(server, user)
    const project = `/${fixture.project.path_with_namespace}`
    const refused = await (await own.open(`${project}/-/forks/new`)).press('Fork project', {
      path: '-',
    })
    expect(refused.status).toBe(422)
    const fork = await refused.press('Fork project', { path: 'copy', name: 'Copy' })
    expect(fork.address).toBe(`/${user.username}/copy`)
    const form = await own.open(
      `/${user.username}/copy/-/merge_requests/new?merge_request[source_branch]=topic`,
    )
    const created = await form.press('Create merge request', { title: 'From a fork' })
    expect(created.address).toMatch(new RegExp(`^${project}(/-)?/merge_requests/\\d+$`))
    expect((await own.open(`${project}/-/forks`)).texts('.rows .title')).toEqual([
      `${user.username}/copy`,
    ])
  })
})

describe('the edit of a merge request', () => {
  beforeAll(() => build())

  it('keeps what was typed when it is refused, and saves', async () => {
    const form = await (await browser.open(`${path}/1`)).follow('Edit')
    const refused = await form.press('Save changes', { title: ' ', description: 'Kept' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('description')?.text.trim()).toBe('Kept')
    const saved = await refused.press('Save changes', {
      title: 'Better',
      approvers: server.root.username,
      squash: '1',
    })
    expect(saved.heading).toBe('Better !1')
    const { body } = await fixture.call('GET', '/approvals')
    expect(body.approvers).toMatchObject([{ user: { id: server.root.id } }])
    expect((await fixture.row()).squash).toBe(1)
  })

  it('is neither offered nor open to those who may not', async () => {
    const guest = await memberBrowser(10)
    const overview = await guest.open(`${path}/1`)
    expect(buttons(overview)).not.toContain('Close')
    expect((await guest.open(`${path}/1/edit`)).status).toBe(403)
    const fields = { authenticity_token: overview.csrfToken, title: 'Mine' }
    const sent = { method: 'POST', body: new URLSearchParams(fields) }
    expect((await guest.send(`${path}/1`, sent)).status).toBe(422)
    expect((await fixture.row()).title).toBe('Better')
  })
})

describe('a merge request', () => {
  it('is closed, reopened, made a draft and followed', async () => {
    await build()
    const page = await browser.open(`${path}/1`)
    const closed = await page.press('Close')
    expect(closed.texts('.badge')).toContain('Closed')
    expect(closed.texts('#merge')[0]).toContain('Closed by')
    const draft = await (await closed.press('Reopen')).press('Mark as draft')
    expect(draft.texts('.checks li')).toContain('It is a draft.')
    expect(buttons(draft)).not.toContain('Merge')
    const ready = await draft.press('Mark as ready')
    expect(ready.heading).toBe('A title !1')
    const followed = await ready.press('Subscribe')
    expect(buttons(followed)).toContain('Unsubscribe')
    expect((await followed.press('Add to-do')).status).toBe(200)
  })

  it('is approved and merged, with its options', async () => {
    await build({ approvals_before_merge: 1 })
    const page = await browser.open(`${path}/1`)
    expect(page.texts('.checks li')).toContain('It needs more approvals.')
    const approved = await page.press('Approve')
    expect(approved.texts('#approvals')[0]).toContain(fixture.user.name)
    const open = await approved.press('Take back your approval')
    const merged = await (await open.press('Approve')).press('Merge', {
      squash: '1',
      merge_commit_message: 'Merged by hand',
      should_remove_source_branch: '1',
    })
    expect(merged.texts('.badge')).toContain('Merged')
    expect(merged.texts('#merge')[0]).toContain('Merged by')
    await server.runJobs()
    expect(await fixture.tip('topic')).toBe('')
    await fixture.git('fetch', '--quiet', fixture.remote, 'main')
    expect(await fixture.git('log', '-1', '--format=%s', 'FETCH_HEAD')).toBe('Merged by hand')
  })

  it('that was pushed to meanwhile is not merged, and says so', async () => {
    await build()
    const page = await browser.open(`${path}/1`)
    await fixture.commitTo('topic', { 'd.txt': 'd\n' }, 'Meanwhile')
    await fixture.push('topic')
    await server.runJobs()
    const refused = await page.press('Merge', { merge_commit_message: 'Kept' })
    expect(refused.status).toBe(422)
    expect(refused.texts('.summary li')[0]).toContain('changed meanwhile')
    expect(refused.document.getElementById('merge_commit_message')?.text.trim()).toBe('Kept')
    expect((await fixture.row()).state).toBe('opened')
  })

  it('with conflicts says how to resolve them', async () => {
    await build()
    await fixture.commitTo('main', { 'b.txt': 'other\n' }, 'Conflict')
    await fixture.push('main')
    await server.runJobs()
    const page = await browser.open(`${path}/1`)
    expect(page.texts('.checks li')).toContain('There are conflicts with the target branch.')
    expect(page.texts('.commands')[0]).toContain('git switch topic')
    expect(buttons(page)).not.toContain('Merge')
  })

  it('that is behind is rebased, and its page loads again until that is done', async () => {
    await build({ merge_method: 'ff' })
    await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Ahead')
    await fixture.push('main')
    await server.runJobs()
    const page = await browser.open(`${path}/1`)
    expect(buttons(page)).not.toContain('Merge')
    const rebasing = await page.press('Rebase')
    expect(rebasing.document.querySelector('meta[http-equiv=refresh]')).not.toBeNull()
    await server.runJobs()
    const done = await browser.open(`${path}/1`)
    expect(done.document.querySelector('meta[http-equiv=refresh]')).toBeNull()
    expect((await done.press('Merge')).texts('.badge')).toContain('Merged')
  })

  it('is commented on, and its threads are resolved', async () => {
    await build()
    const page = await browser.open(`${path}/1`)
    const thread = await page.press('Start thread', { body: `Why? ${odd}` })
    expect(thread.document.querySelector('main script')).toBeNull()
    const resolved = await thread.press('Resolve thread')
    expect(resolved.texts('details.thread summary')[0]).toContain('Resolved by')
  })

  it('shows its commits and pipelines', async () => {
    await build()
    const page = await browser.open(`${path}/1/commits`)
    expect(page.texts('.rows .title')).toEqual(['Second', 'First'])
    expect((await page.follow('Pipelines')).texts('.empty h2')).toEqual(['No pipelines yet'])
  })

  it('of a public project is shown to who is signed in, without what they may not do', async () => {
    await build()
    const stranger = await openBrowser(server, await server.buildUser())
    const page = await stranger.open(`${path}/1`)
    expect(page.status).toBe(200)
    for (const button of ['Merge', 'Close', 'Approve', 'Rebase']) {
      expect(buttons(page)).not.toContain(button)
    }
    expect((await stranger.open(`${path}/2`)).status).toBe(404)
    expect((await stranger.open(`${path}/none`)).status).toBe(404)
    expect((await visitor.open(`${path}/1`)).address).toContain('/users/sign_in')
  })
})
