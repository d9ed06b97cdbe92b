import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { buildEpicFixture, type EpicFixture } from '../../testing/fixtures/epics.ts'

// Catalogue, permissions: only owners delete. Epics go with their notes, labels, awards, todos and
// subscriptions; what is below them remains.

let fixture: EpicFixture
beforeAll(async () => {
  fixture = await buildEpicFixture()
})
afterAll(() => fixture.server.close())

/** An epic with everything that can depend on it. */
async function build(group = fixture.group) {
  const { server, reporter, guest } = fixture
  const other = await fixture.open({}, undefined, group)
  const description = `@${guest.username} see &${other.iid}\n/subscribe\n/todo`
  const epic = await fixture.open({ description, labels: 'a,b' }, undefined, group)
  const base = `/groups/${group.id}/epics`
  const note = await created(server, `${base}/${epic.id}/notes`, { body: 'Comment' }, guest)
  await created(server, `${base}/${epic.iid}/award_emoji`, { name: 'thumbsup' }, reporter)
  const awards = `${base}/${epic.iid}/notes/${note.id}/award_emoji`
  await created(server, awards, { name: 'tada' }, guest)
  const child = await fixture.open({ parent_id: epic.id }, undefined, group)
  return { epic, child, other }
}

async function faults() {
  const { db } = fixture.server.app
  return [...(await findOrphans(db)), ...(await findWrongCounts(db))]
}

describe('DELETE /groups/:id/epics/:epic_iid', () => {
  it('removes the epic with what depends on it; its children remain', async () => {
    const { epic, child, other } = await build()
    expect((await fixture.call('GET', `/${epic.iid}`)).body.upvotes).toBe(1)
    expect(await faults()).toEqual([])
    const answer = await fixture.call('DELETE', `/${epic.iid}`, undefined, fixture.owner)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await fixture.call('GET', `/${epic.iid}`)).status).toBe(404)
    expect((await fixture.call('GET', `/${child.iid}`)).body.parent_id).toBeNull()
    expect(await fixture.systemNotes(other)).toEqual([])
    expect(await faults()).toEqual([])
    const again = await fixture.call('DELETE', `/${epic.iid}`, undefined, fixture.owner)
    expect([again.status, again.body]).toEqual([404, { message: '404 Epic Not Found' }])
  })

  it('succeeds once for concurrent calls, and does not reuse the number', async () => {
    const { iid } = await fixture.open()
    const remove = () => fixture.call('DELETE', `/${iid}`, undefined, fixture.owner)
    const answers = await Promise.all([remove(), remove(), remove()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
    expect((await fixture.open()).iid).toBe(iid + 1)
  })

  it('returns 412 if the epic was changed since', async () => {
    const { iid, updated_at: at } = await fixture.open()
    const remove = (ms: number) => {
      const headers = { 'if-unmodified-since': new Date(Date.parse(at) + ms).toUTCString() }
      const path = `/groups/${fixture.group.id}/epics/${iid}`
      return fixture.server.inject('DELETE', path, { token: fixture.owner.token, headers })
    }
    expect((await remove(-60_000)).status).toBe(412)
    expect((await remove(60_000)).status).toBe(204)
  })

  it('leaves the total of the list right', async () => {
    const total = async () => (await fixture.call('GET', '?per_page=1')).headers['x-total']
    const before = Number(await total())
    const { iid } = await fixture.open()
    expect(await total()).toBe(String(before + 1))
    await fixture.call('DELETE', `/${iid}`, undefined, fixture.owner)
    expect(await total()).toBe(String(before))
  })
})
