import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let host: string
let root: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  host = await server.url()
  root = new Gitlab({ host, token: server.root.token })
})
afterAll(() => server.close())

describe('audit events with the unmodified @gitbeaker/rest', () => {
  it('are listed and shown for the instance, a group and a project', async () => {
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    for (const of of [{}, { groupId: group.id }, { projectId: project.id }]) {
      const [event, ...others] = await root.AuditEvents.all({ ...of, perPage: 2, maxPages: 1 })
      expect(others.length).toBeLessThan(2)
      if (event === undefined) throw new Error('no events')
      expect(await root.AuditEvents.show(event.id, of)).toEqual(event)
      expect(event.author_id).toBe(1)
    }
    const later = { createdAfter: '2999-01-01', entityType: 'Project' } as never
    expect(await root.AuditEvents.all(later)).toEqual([])
  })
})

describe('broadcast messages with the unmodified @gitbeaker/rest', () => {
  it('are created, listed, shown, edited and removed', async () => {
    const made = await root.BroadcastMessages.create({ message: 'Deploy', color: '#001122' })
    expect(made).toMatchObject({ message: 'Deploy', color: '#001122', active: true })
    expect(await root.BroadcastMessages.all()).toEqual([made])
    expect(await root.BroadcastMessages.show(made.id)).toEqual(made)
    const changed = await root.BroadcastMessages.edit(made.id, { endsAt: '2999-01-01T00:00:00Z' })
    expect(changed).toEqual({ ...made, ends_at: '2999-01-01T00:00:00.000Z' })
    await root.BroadcastMessages.remove(made.id)
    expect(await root.BroadcastMessages.all()).toEqual([])
  })
})

describe('licenses with the unmodified @gitbeaker/rest', () => {
  it('present the tier, and are neither added nor removed', async () => {
    const license = await root.License.show()
    expect(license).toMatchObject({ plan: 'ultimate', expired: false })
    expect(await root.License.all()).toMatchObject([{ id: license.id }])
    await expect(root.License.remove(license.id)).rejects.toThrow('STITHY_TIER')
    await expect(root.License.add('eyJk')).rejects.toThrow()
  })
})

describe('the appearance with the unmodified @gitbeaker/rest', () => {
  it('is shown and edited, also with a picture', async () => {
    expect(await root.ApplicationAppearance.show()).toMatchObject({ title: '', logo: null })
    const edited = await root.ApplicationAppearance.edit({ title: 'Forge', footerMessage: 'Bye' })
    expect(edited).toMatchObject({ title: 'Forge', footer_message: 'Bye' })
    const bytes = Buffer.from([0x89, ...Buffer.from('PNG\r\n'), 0x1a, 0x0a])
    const logo = { content: new Blob([bytes]), filename: 'logo.png' }
    const pictured = await root.ApplicationAppearance.edit({ logo })
    expect(pictured).toMatchObject({ title: 'Forge', logo: expect.stringMatching(/\/logo\.png$/) })
    expect((await fetch(`${host}${pictured.logo}`)).status).toBe(200)
  })
})
