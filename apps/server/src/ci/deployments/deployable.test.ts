import { insertCommitStatus, insertDeployment, lockPipelines } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildStatusFixture, type StatusFixture } from '../../testing/fixtures/status-fixture.ts'
import type { Json, TestServer } from '../../testing/test-server.ts'
import { findOrCreateExternalPipeline } from '../pipelines/pipeline.service.ts'

let fixture: StatusFixture
let server: TestServer
let base: string
let sha: string
let environment: Json

beforeAll(async () => {
  fixture = await buildStatusFixture()
  server = fixture.server
  base = `/projects/${fixture.project.id}`
  sha = await fixture.freshCommit()
  environment = await created(server, `${base}/environments`, { name: 'production' })
})
afterAll(() => server.close())

/** Stores a successful deployment by a job, as a pipeline makes it; returns their ids. */
async function deployByJob(): Promise<{ deployment: number; job: number }> {
  const { app } = server
  const projectId = fixture.project.id
  const userId = fixture.developer.id
  const now = app.now()
  return app.db.transaction(async (tx) => {
    await lockPipelines(tx, projectId)
    const ref = { name: 'main', isTag: false }
    const pipeline = await findOrCreateExternalPipeline(tx, { projectId, sha, ref, userId, now })
    const job = await insertCommitStatus(tx, {
      ...{ projectId, pipelineId: pipeline.id, kind: 'job' as const, sha, ref: 'main' },
      ...{ name: 'deploy', stage: 'deploy', stageIndex: 2, status: 'success' as const },
      ...{ allowFailure: 0 as const, targetUrl: null, description: null, coverage: 12.5 },
      ...{ failureReason: null, userId, createdAt: now, startedAt: now, finishedAt: now + 3000 },
    })
    const { id } = await insertDeployment(tx, {
      ...{ projectId, environmentId: environment.id, ref: 'main', tag: 0 as const, sha },
      ...{ status: 'success' as const, userId, jobId: job.id, createdAt: now },
    })
    return { deployment: id, job: job.id }
  })
}

describe('deployable of a deployment', () => {
  it('is the whole job that deployed', async () => {
    const { deployment, job } = await deployByJob()
    const { token } = fixture.developer
    const shown = await callAs(server, 'GET', `${base}/deployments/${deployment}`, token)
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(shown.body.deployable).toEqual({
      id: job,
      status: 'success',
      stage: 'deploy',
      name: 'deploy',
      ref: 'main',
      tag: false,
      coverage: 12.5,
      allow_failure: false,
      created_at: time,
      started_at: time,
      finished_at: time,
      duration: 3,
      user: expect.objectContaining({ id: fixture.developer.id, bio: null, created_at: time }),
      commit: expect.objectContaining({ id: sha, title: expect.stringContaining('Fresh') }),
      pipeline: {
        id: expect.any(Number),
        sha,
        ref: 'main',
        status: 'created',
        web_url: expect.stringMatching(/\/pipelines\/\d+$/),
      },
      web_url: `http://stithy.test/${fixture.project.path_with_namespace}/-/jobs/${job}`,
      artifacts: [],
      runner: null,
      artifacts_expire_at: null,
    })
    const single = await callAs(server, 'GET', `${base}/environments/${environment.id}`, token)
    const { environment: _, ...summary } = shown.body
    expect(single.body.last_deployment).toEqual(summary)
  })

  it('takes the same number of queries for each length of the list', async () => {
    await deployByJob()
    await deployByJob()
    const cost = async (query: string) => {
      const before = server.app.db.stats.queries
      await callAs(server, 'GET', `${base}/deployments?${query}`, server.root.token)
      return server.app.db.stats.queries - before
    }
    // The first list is counted.
    await cost('')
    expect(await cost('per_page=100')).toBe(await cost('per_page=1'))
  })

  it('decides on the status of the deployment', async () => {
    const { deployment } = await deployByJob()
    const path = `${base}/deployments/${deployment}`
    const { status, body } = await callAs(server, 'PUT', path, server.root.token, {
      status: 'failed',
    })
    expect([status, body]).toEqual([
      403,
      {
        message: '403 Forbidden - The status of a deployment by a CI job follows that of the job',
      },
    ])
  })
})
