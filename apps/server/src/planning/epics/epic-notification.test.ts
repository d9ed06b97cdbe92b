import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { startMailServer, type TestMailServer } from '../../testing/clients/mail-server.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

// docs/mail.md: a new epic is told to those whom it mentions, a new mention too, other labels to their
// subscribers; closing to who takes part. Watchers: merge-request-notification.test.ts.

let mailServer: TestMailServer
let server: TestServer
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config() })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})

it('tells those who are mentioned, and subscribers of new labels', async () => {
  const group = await server.buildGroup({ visibility: 'public' })
  const [ann, ben, cem] = [
    await server.buildUser(),
    await server.buildUser(),
    await server.buildUser(),
  ]
  const told = async () => {
    await server.runJobs()
    const recipients = mailServer.take().flatMap((mail) => mail.recipients)
    return [ann, ben, cem].filter(({ email }) => recipients.includes(email))
  }
  await told()
  const label = { name: 'big', color: '#ff0000' }
  const { id: labelId } = await created(server, `/groups/${group.id}/labels`, label)
  await created(server, `/groups/${group.id}/labels/${labelId}/subscribe`, {}, cem)
  const base = `/groups/${group.id}/epics`
  const epic = await created(server, base, { title: 'Plan', description: `@${ann.username}` })
  expect(await told()).toEqual([ann])
  const change = (body: object) =>
    callAs(server, 'PUT', `${base}/${epic.iid}`, server.root.token, body)
  await change({ description: `@${ann.username} @${ben.username}` })
  expect(await told()).toEqual([ben])
  await change({ labels: 'big' })
  expect(await told()).toEqual([cem])
  await change({ state_event: 'close' })
  expect(await told()).toEqual([ann, ben])
  await created(server, base, { title: 'Quiet' })
  expect(await told()).toEqual([])
})
