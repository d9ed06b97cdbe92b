// Mails of issues that are due the next day: once a day, to participants, subscribers and who chose
// the event at the level `custom`; each once for each due date.
import { notificationEvents } from '@stithy/core'
import { enqueueJob } from '@stithy/store'
import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jobHandlers, recurringJobs } from '../../app/job-handlers.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import {
  addressesOf,
  buildMailFixture,
  buildNotifiedProject,
  type MailFixture,
  type NotifiedProject,
} from '../../testing/fixtures/mails.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { notifyOfDueIssuesJob } from './due-issue.jobs.ts'

const minute = 60_000
const day = 24 * 60 * minute

let fixture: MailFixture
let place: NotifiedProject
/** The author of all issues. */
let actor: TestUser
let server: TestServer
beforeAll(async () => {
  fixture = await buildMailFixture()
  server = fixture.server
})
afterAll(() => fixture.close())
beforeEach(async () => {
  place = await buildNotifiedProject(fixture)
  actor = place.actor
  // Those of other tests, which later nights would tell of.
  await server.app.db.run('test.not_due', {}, (db) => db.updateTable('issues').set('dueDate', null))
  // At noon, so that no midnight passes during a test, whenever it runs.
  server.advance(day - (server.app.now() % day) + day / 2)
})

const dateIn = (days: number) => dayOf(server.app.now() + days * day)
const issuePath = ({ iid }: Json) => `${place.issues}/${iid}`

/** Opens an issue that is due on the day after the next run, so that the next run tells of it. */
async function openDue(body: object = {}): Promise<Json> {
  const issue = await place.openIssue({ due_date: dateIn(2), ...body })
  await fixture.mails()
  return issue
}

/** Lets workers schedule the recurring jobs, as those of servers do at their start. */
async function schedule(workers = 1): Promise<void> {
  const started = Array.from({ length: workers }, () =>
    startWorker(server.app, { handlers: jobHandlers, recurring: recurringJobs }),
  )
  for (const worker of started) await worker.stop()
}

/** Advances the clock to a time after the next midnight. */
async function nextNight(minutes = 51): Promise<void> {
  await schedule()
  server.advance(day - (server.app.now() % day) + minutes * minute)
}

async function toldNextNight(): Promise<string[]> {
  await nextNight()
  return fixture.told()
}

/** Runs the daily job again. */
async function runAgain(): Promise<void> {
  const job = { queue: 'maintenance', kind: notifyOfDueIssuesJob.kind, payload: null }
  await server.app.db.transaction((tx) => enqueueJob(tx, job, server.app.now()))
  await server.runJobs()
}

const change = (issue: Json, body: object) => place.change(issue.iid, body)

describe('of an issue that is due the next day', () => {
  it('its author, assignees, commenters and those mentioned are told, at their levels', async () => {
    const names = ['assigned', 'commented', 'mentioned', 'muted', 'mention only', 'stranger']
    const users = new Map<string, TestUser>()
    for (const name of names) users.set(name, await server.buildUser())
    const of = (name: string) => users.get(name) as TestUser
    await place.choose(of('muted'), { level: 'disabled' })
    await place.choose(of('mention only'), { level: 'mention' })
    const { iid } = await openDue({
      assignee_ids: [of('assigned').id],
      description: `@${of('mentioned').username}`,
    })
    for (const name of ['commented', 'muted', 'mention only']) {
      await place.comment(iid, 'A comment', of(name))
    }
    await fixture.mails()
    const expected = addressesOf(actor, of('assigned'), of('commented'), of('mentioned'))
    expect(await toldNextNight()).toEqual(expected)
  })

  it('others are told who chose the event at the level `custom`, but not who watches', async () => {
    const [watching, chose, globally, others] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    const every = Object.fromEntries(notificationEvents.map((name) => [name, true]))
    await place.choose(watching, { level: 'watch' })
    await place.choose(chose, { level: 'custom', issue_due: true })
    await server.addMember(`projects/${place.project.id}`, globally.id, 10)
    await place.choose(globally, { level: 'custom', issue_due: true }, '')
    await place.choose(others, { level: 'custom', ...every, issue_due: false })
    await openDue()
    expect(await toldNextNight()).toEqual(addressesOf(actor, chose, globally))
  })

  it('subscribers are told at every level, and nobody who unsubscribed', async () => {
    const ada = await server.buildUser()
    await place.choose(ada, { level: 'disabled' })
    const issue = await openDue()
    await callAs(server, 'POST', `${issuePath(issue)}/subscribe`, ada.token)
    await callAs(server, 'POST', `${issuePath(issue)}/unsubscribe`, actor.token)
    await nextNight()
    const [mail, ...others] = await fixture.mails()
    expect([mail?.recipients, others]).toEqual([[ada.email], []])
    expect(mail?.headers.get('x-gitlab-notificationreason')).toBe('subscribed')
  })

  it('nobody is told who is blocked, or may not read it', async () => {
    const [blocked, guest, reporter, removed] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    const members = `projects/${place.project.id}`
    const settings = { visibility: 'private' }
    await callAs(server, 'PUT', `/${members}`, actor.token, settings)
    for (const user of [guest, reporter, removed]) await server.addMember(members, user.id, 20)
    await server.addMember(members, blocked.id, 20)
    const issue = await openDue({ confidential: true })
    for (const user of [blocked, guest, reporter, removed]) {
      await place.comment(issue.iid, 'A comment', user)
    }
    await callAs(server, 'POST', `/users/${blocked.id}/block`, server.root.token)
    const guestLevel = { access_level: 10 }
    await callAs(server, 'PUT', `/${members}/members/${guest.id}`, actor.token, guestLevel)
    await callAs(server, 'DELETE', `/${members}/members/${removed.id}`, actor.token)
    await fixture.mails()
    expect(await toldNextNight()).toEqual(addressesOf(actor, reporter))
  })

  it.each<[string, (issue: Json) => Promise<unknown>]>([
    ['closed', (issue) => change(issue, { state_event: 'close' })],
    ['due a day earlier', (issue) => change(issue, { due_date: dateIn(1) })],
    ['due a day later', (issue) => change(issue, { due_date: dateIn(3) })],
    ['never due', (issue) => change(issue, { due_date: null })],
    [
      'in an archived project',
      () => callAs(server, 'POST', `/projects/${place.project.id}/archive`, actor.token),
    ],
    [
      'in a project that is being deleted',
      () =>
        server.app.db.run('test.delete', { id: place.project.id }, (db, $) =>
          db.updateTable('projects').set({ deletedAt: 1 }).where('id', '=', $('id')),
        ),
    ],
  ])('nobody is told if it is %s', async (_, spoil) => {
    const issue = await openDue()
    await spoil(issue)
    await fixture.mails()
    expect(await toldNextNight()).toEqual([])
  })

  it.each<[string, (issue: Json) => Promise<unknown>]>([
    ['closed', (issue) => change(issue, { state_event: 'close' })],
    ['due later', (issue) => change(issue, { due_date: dateIn(5) })],
    [
      'in an archived project',
      () => callAs(server, 'POST', `/projects/${place.project.id}/archive`, actor.token),
    ],
  ])('nobody is told if it is %s when the mail is sent', async (_, spoil) => {
    const issue = await openDue()
    await nextNight()
    expect(await fixture.toldAfter(() => spoil(issue))).toEqual([])
  })

  it('nobody is told after that day, by a mail that waited', async () => {
    await openDue()
    await nextNight()
    const late = async (ms: number) => server.advance(ms)
    expect(await fixture.toldAfter(() => late(day))).toEqual(addressesOf(actor))
    await openDue()
    await nextNight()
    expect(await fixture.toldAfter(() => late(2 * day))).toEqual([])
  })
})

describe('the mail', () => {
  it('belongs to the thread of the issue, and says when it is due', async () => {
    const ada = await server.buildUser({ name: 'Ada Lovelace' })
    const description = 'Mind the **gap**'
    const { id, iid } = await openDue({ assignee_ids: [ada.id], description })
    const dueDate = dateIn(2)
    await nextNight()
    const mails = await fixture.mails()
    expect(mails).toHaveLength(2)
    const mail = mails.find(({ recipients }) => recipients.includes(ada.email))
    expect(mail?.subject).toBe(`Re: ${place.project.name} | A title (#${iid})`)
    expect(mail?.inReplyTo).toBe(`<issue_${id}@stithy.test>`)
    expect(mail?.references).toBe(`<issue_${id}@stithy.test>`)
    expect(mail?.from?.value).toEqual([{ name: 'Grace Hopper', address: 'git@stithy.test' }])
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2)
    expect(mail?.headers.get('x-gitlab-issue-iid')).toBe(String(iid))
    expect(mail?.headers.get('list')).toHaveProperty('unsubscribe')
    const sentence = `Issue #${iid} is due on ${dueDate}.`
    expect(mail?.text).toContain(`${sentence}\nAssigned to Ada Lovelace\n\n${description}`)
    expect(mail?.html).toContain(`${sentence}\nAssigned to Ada Lovelace</p>`)
    expect(mail?.html).toContain('Mind the <strong>gap</strong>')
  })

  it('names the author with `email_author_in_body`', async () => {
    const { iid } = await openDue()
    await setSetting(server, 'email_author_in_body', true)
    await nextNight()
    const [mail] = await fixture.mails()
    await setSetting(server, 'email_author_in_body', false)
    expect(mail?.text).toContain(`Issue #${iid}, opened by Grace Hopper, is due on ${dateIn(1)}.`)
  })
})

describe('each recipient', () => {
  it('is told once, by several servers and runs', async () => {
    await openDue()
    await schedule(2)
    await nextNight()
    expect(await fixture.told()).toEqual(addressesOf(actor))
    await runAgain()
    await runAgain()
    expect(await fixture.told()).toEqual([])
  })

  it('is told by another run if a crash lost their mail', async () => {
    const ada = await server.buildUser()
    const issue = await openDue()
    await place.comment(issue.iid, 'A comment', ada)
    await fixture.mails()
    expect(await toldNextNight()).toEqual(addressesOf(actor, ada))
    await server.app.db.run('test.lose', { userId: ada.id }, (db, $) =>
      db.deleteFrom('mails').where('userId', '=', $('userId')),
    )
    await runAgain()
    expect(await fixture.told()).toEqual(addressesOf(ada))
  })

  it('is told again of another due date, and not of the same one', async () => {
    const issue = await openDue()
    expect(await toldNextNight()).toEqual(addressesOf(actor))
    await change(issue, { due_date: dateIn(5) })
    await change(issue, { due_date: dateIn(1) })
    await runAgain()
    expect(await fixture.told()).toEqual([])
    await change(issue, { due_date: dateIn(2) })
    expect(await toldNextNight()).toEqual(addressesOf(actor))
    expect(await toldNextNight()).toEqual([])
  })
})

describe('the daily run', () => {
  it('is at 00:50 UTC', async () => {
    await openDue()
    await nextNight(49)
    expect(await fixture.told()).toEqual([])
    server.advance(2 * minute)
    expect(await fixture.told()).toEqual(addressesOf(actor))
  })

  it('is later if no server ran then, and leaves out the days that passed', async () => {
    const missed = await openDue()
    const next = await place.openIssue({ due_date: dateIn(3), title: 'The next one' })
    await schedule()
    await fixture.mails()
    // To the day on which the first one is due.
    server.advance(2 * day - day / 4)
    const subjects = (await fixture.mails()).map(({ subject }) => subject)
    expect(subjects).toEqual([`Re: ${place.project.name} | The next one (#${next.iid})`])
    // Jobs that the day before left.
    const payload = { dueDate: missed.due_date, after: 0 }
    const page = { queue: 'default', kind: 'notifications.due_issues_page', payload }
    const parts = [{ event: 'issue_due', dueDate: missed.due_date }]
    const target = { type: 'issue', id: missed.id }
    const notification = { key: 'left', actorId: actor.id, target, parts }
    const notify = { queue: 'default', kind: 'notifications.notify', payload: notification }
    for (const job of [page, notify]) {
      await server.app.db.transaction((tx) => enqueueJob(tx, job, server.app.now()))
    }
    expect(await fixture.told()).toEqual([])
  })

  it('takes the issues in pages', async () => {
    const { db } = server.app
    const [createdAt, dueDate] = [server.app.now(), dateIn(2)]
    const ids: number[] = []
    for (let iid = 1; iid <= 205; iid += 1) {
      const data = { iid, title: 'A title', dueDate, createdAt, updatedAt: createdAt }
      // The author may be told; where nobody is, the project does not matter.
      const row = { projectId: place.project.id, authorId: actor.id, ...data }
      ids.push((await insertRow(db, 'issues', row)).id)
    }
    await server.app.db.run('test.unconfirm', { id: actor.id }, (kysely, $) =>
      kysely.updateTable('users').set({ confirmedAt: null }).where('id', '=', $('id')),
    )
    expect(await toldNextNight()).toEqual([])
    const keys = await db.all('test.keys', { userId: actor.id }, (kysely, $) =>
      kysely
        .selectFrom('mails')
        .where('userId', '=', $('userId'))
        .where('key', 'like', 'issue:%')
        .select('key'),
    )
    const expected = ids.map((id) => `issue:${id}:${dueDate}:issue_due:${actor.id}`)
    expect(keys.map(({ key }) => key).toSorted()).toEqual(expected.toSorted())
    const pages = await db.all('test.pages', { dueDate: `%${dueDate}%` }, (kysely, $) =>
      kysely
        .selectFrom('jobs')
        .where('kind', '=', 'notifications.due_issues_page')
        .where('payload', 'like', $('dueDate'))
        .where('state', '=', 'done')
        .select('id'),
    )
    expect(pages).toHaveLength(3)
  })

  it('enqueues nothing where no mail is configured', async () => {
    const silent = await buildTestServer()
    const author = await silent.buildUser()
    const project = await silent.buildProject({}, author)
    const due = { title: 'A title', due_date: dayOf(silent.app.now() + day) }
    await created(silent, `/projects/${project.id}/issues`, due, author)
    await silent.runJobs()
    const job = { queue: 'maintenance', kind: notifyOfDueIssuesJob.kind, payload: null }
    await silent.app.db.transaction((tx) => enqueueJob(tx, job, silent.app.now()))
    await silent.runJobs()
    const jobs = await silent.app.db.all('test.jobs', {}, (db) =>
      db.selectFrom('jobs').where('kind', 'like', 'notifications.due%').select(['kind', 'state']),
    )
    expect(jobs).toEqual([{ kind: notifyOfDueIssuesJob.kind, state: 'done' }])
    await silent.close()
  })
})
