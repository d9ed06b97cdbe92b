import { approvalRulesContract, approvalsContract } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApprovalFixture, buildApprovalFixture } from '../../testing/fixtures/approvals.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: ApprovalFixture
beforeAll(async () => {
  server = await buildTestServer({ tier: 'community' })
  fixture = await buildApprovalFixture(server)
})
afterAll(() => server.close())

const endpoints = [...Object.values(approvalsContract), ...Object.values(approvalRulesContract)]

describe('approvals in the community tier', () => {
  it.each(endpoints.map(({ method, path }) => [method, path]))(
    '%s %s answers 403',
    async (method, path) => {
      const at = path
        .replace(':id', String(fixture.project.id))
        .replace(':merge_request_iid', String(fixture.request.iid))
        .replace(':approval_rule_id', '1')
      const { token } = server.root
      const body = { approvals_required: 1, name: 'x', approver_ids: [], approver_group_ids: [] }
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body }
      expect((await server.inject(method, at, { token, ...sent })).status).toBe(403)
    },
  )

  it('are neither shown nor accepted by merge requests, nor required to merge', async () => {
    const { call, configure } = fixture
    expect((await call('GET', '')).body).not.toHaveProperty('approvals_before_merge')
    const body = {
      source_branch: 'main',
      target_branch: 'topic',
      title: 'x',
      approvals_before_merge: 1,
    }
    expect((await configure('POST', '/merge_requests', body)).status).toBe(403)
    expect((await configure('GET', '/merge_requests?approver_ids=Any')).status).toBe(403)
    await server.app.db.transaction((tx) =>
      tx.run('test.require', { id: fixture.project.id }, (db, $) =>
        db.updateTable('projects').set({ approvalsBeforeMerge: 1 }).where('id', '=', $('id')),
      ),
    )
    expect((await call('PUT', '/merge')).status).toBe(200)
  })
})
